// One call at a time, and of those that wait only the newest: old answers never come after newer ones.

/** Let an error be seen, but not stop what comes after. */
function told(error) {
  setTimeout(() => {
    throw error;
  });
}

/** Return `ask(what, pause_ms)`: `run` is called as soon as the call before is over, and was begun so long ago. */
export function latest(run) {
  let waiting = null;
  let busy = false;
  let began = -Infinity;

  async function next() {
    busy = true;
    while (waiting) {
      const pause = began + waiting.pause_ms - performance.now();
      if (pause > 0) await new Promise((over) => setTimeout(over, pause));
      const { what } = waiting; // the newest by now
      waiting = null;
      began = performance.now();
      await run(what).catch(told);
    }
    busy = false;
  }

  return function ask(what, pause_ms = 0) {
    waiting = { what, pause_ms };
    if (!busy) void next();
  };
}
