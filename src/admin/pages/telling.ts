/** Telling the server the latest of values that change quickly, again and again until it could be told. */

/** In milliseconds: a pause in typing after which the server is told. */
export const TYPING_PAUSE = 700;
/** In milliseconds: before it is told again; twice as long each time. */
export const FIRST_RETRY = 2_000;
const LAST_RETRY = 60_000;

/**
 * Whether the same request may succeed later: no answer (0), a busy server, a session that ended (signing in again restores
 * it), and the limit of autosaves, which saving other pages makes room for.
 */
export const isTemporary = (status: number): boolean => status >= 500 || [0, 401, 403, 408, 409, 429].includes(status);

/** The next time the server is told, by key: a page that is opened again takes over from the one that was closed. */
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * @param send one after the other, so that the last one stays
 * @param mayRetry whether a failure of `send` is temporary
 */
export function openTelling<T>(
  key: string,
  send: (value: T) => Promise<unknown>,
  mayRetry: (error: unknown) => boolean,
): (value: T) => void {
  let telling: Promise<unknown> = Promise.resolve();
  const plan = (value: T, ms: number, retryAfter: number): void => {
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => tell(value, retryAfter), ms),
    );
  };
  const tell = (value: T, retryAfter: number): void => {
    const told = timers.get(key);
    telling = telling
      .then(() => send(value))
      .catch((error: unknown) => {
        // A later value is told anyway.
        if (timers.get(key) === told && mayRetry(error)) plan(value, retryAfter, Math.min(retryAfter * 2, LAST_RETRY));
      });
  };
  return (value) => plan(value, TYPING_PAUSE, FIRST_RETRY);
}
