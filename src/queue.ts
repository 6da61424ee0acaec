/**
 * Runs functions one at a time, in the order of the calls: each begins when those before it have ended. An error goes to the
 * caller of its function alone.
 */
export function openQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
