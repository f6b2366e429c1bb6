// One call at a time, and of those that wait only the newest: old answers never come after newer ones.

/** Return a function that calls `run` with the newest argument as soon as the call before is over. */
export function latest(run) {
  let waiting = null;
  let busy = false;

  async function next() {
    busy = true;
    while (waiting) {
      const [what] = waiting;
      waiting = null;
      await run(what);
    }
    busy = false;
  }

  return function ask(what) {
    waiting = [what];
    if (!busy) void next();
  };
}
