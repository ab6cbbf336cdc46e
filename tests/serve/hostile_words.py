"""A name and words that would like to act: as markup, as a script, as a formula, in a terminal."""

SCRIPT = "<script>document.title='owned'</script>"
HOSTILE = ["<img src=x onerror=alert(1)>", "=1+1", "\x1b[31mred", "pl'ain\"&amp;"]
