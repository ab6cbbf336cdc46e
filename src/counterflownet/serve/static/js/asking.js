// One question at a time. While it is answered, only the newest of those that follow waits, as when a slider is dragged:
// so answers keep coming, and none is asked for that nobody will see.

const PATIENCE = 400; // milliseconds after which a question is given up for a newer one

export function newestOnly(work, { giveUp, done }) {
  let begun = null;
  let waits = false;

  function giveUpLater() {
    const since = begun;
    setTimeout(() => {
      if (waits && begun === since) giveUp();
    }, PATIENCE - (performance.now() - since));
  }

  return async function ask() {
    if (begun !== null) {
      if (!waits) giveUpLater();
      waits = true;
      return;
    }
    do {
      waits = false;
      begun = performance.now();
      await work(() => waits);
    } while (waits);
    begun = null;
    done();
  };
}
