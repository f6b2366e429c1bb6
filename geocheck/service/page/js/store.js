// One state for the whole page; whoever shows part of it listens.

/** Return `get`, `set` (some fields, and what caused it) and `listen`. */
export function createStore(state) {
  const heard = [];
  let held = state;
  return {
    get: () => held,
    set(fields, cause = null) {
      held = { ...held, ...fields };
      for (const each of heard) each(held, cause);
    },
    listen: (each) => heard.push(each),
  };
}
