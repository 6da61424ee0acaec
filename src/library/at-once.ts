/**
 * Continues with a value: at once where it is there, and later where it is promised. Most public reads are answered from
 * memory, so they need not wait for a turn of the event loop.
 */
export const whenReady = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
