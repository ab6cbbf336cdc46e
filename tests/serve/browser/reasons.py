"""Why tests of the page are left out, in the words that the last lines of a run look for."""

REASON = "needs a browser: apt-get install --no-install-recommends chromium"
