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

export interface Telling<T> {
  /** The value replaces an earlier one of this key that the server was not told yet. @param pause in milliseconds, before it is told */
  tell(key: string, value: T, pause?: number): void;
  /** Tells at once what waits for a pause or another try: the page is about to close. */
  flush(): void;
  /** The latest value, until the server was told it or refused it for good: until then it answers with an older one. */
  untold(key: string): T | undefined;
}

/**
 * @param send for one key one after the other, so that the last one stays
 * @param mayRetry whether a failure of `send` is temporary
 */
export function openTelling<T>(
  send: (key: string, value: T) => Promise<unknown>,
  mayRetry: (error: unknown) => boolean,
): Telling<T> {
  const latest = new Map<string, { readonly value: T; timer?: ReturnType<typeof setTimeout> }>();
  const sending = new Map<string, Promise<void>>();

  const plan = (key: string, value: T, ms: number, retryAfter: number): void => {
    clearTimeout(latest.get(key)?.timer);
    const entry = { value, timer: setTimeout(() => start(key, entry, retryAfter), ms) };
    latest.set(key, entry);
  };
  const start = (key: string, entry: { readonly value: T }, retryAfter: number): void => {
    const told = (sending.get(key) ?? Promise.resolve())
      .then(() => send(key, entry.value))
      .then(
        () => false,
        (error: unknown) => mayRetry(error),
      )
      .then((isRetried) => {
        if (sending.get(key) === told) sending.delete(key);
        // A later value is told anyway.
        if (latest.get(key) !== entry) return;
        if (isRetried) plan(key, entry.value, retryAfter, Math.min(retryAfter * 2, LAST_RETRY));
        else latest.delete(key);
      });
    sending.set(key, told);
  };

  return {
    tell: (key, value, pause = TYPING_PAUSE) => plan(key, value, pause, FIRST_RETRY),
    flush() {
      for (const [key, { value, timer }] of latest) {
        clearTimeout(timer);
        // Nothing can be done about a failure any more.
        void send(key, value).catch(() => undefined);
      }
    },
    untold: (key) => latest.get(key)?.value,
  };
}
