// Questions to the service. A newer question of the same kind takes the place of an older one that still waits.

const KEY = "counterflownet-token";
const running = new Map();

export class ServiceError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// A token comes behind the # of the address, which is never sent, and is kept for this tab alone.
export function takeToken() {
  const found = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!found) return;
  keepToken(decodeURIComponent(found[1]));
  history.replaceState(null, "", location.pathname + location.hash.replace(/&?token=[^&]+/, "").replace(/^#&?$/, ""));
}

export const keepToken = (token) => sessionStorage.setItem(KEY, token);

function headers() {
  const token = sessionStorage.getItem(KEY);
  return { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

export async function read(path) {
  return parsed(await sent(path, { headers: headers() }));
}

export async function ask(path, question, { latest = path } = {}) {
  return parsed(await posted(path, question, latest));
}

export async function file(path, question) {
  return (await posted(path, question, path)).blob();
}

async function posted(path, question, latest) {
  running.get(latest)?.abort();
  const controller = new AbortController();
  running.set(latest, controller);
  const options = { method: "POST", headers: headers(), body: JSON.stringify(question), signal: controller.signal };
  return sent(path, options);
}

export function abandon() {
  for (const controller of running.values()) controller.abort();
}

async function sent(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError("offline", 0);
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({ error: `${answer.status}` }));
  throw new ServiceError(told.error, answer.status);
}

const parsed = (answer) => answer.json();
