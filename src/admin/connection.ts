/** Whether the server answers: said while it does not, and asked again until it does. */
import { effect, signal } from "@preact/signals";

export const isReachable = signal(true);

/** In milliseconds. */
const RETRY = 3_000;

/** A proxy answers with these for a server that does not. */
const isFromProxy = (status: number): boolean => status === 502 || status === 504;

/** @param status of an answer; 0 when there was none */
export const heard = (status: number): void => void (isReachable.value = status > 0 && !isFromProxy(status));

addEventListener("offline", () => heard(0));

/** Resolves at once while the server answers. */
export const whenReachable = (): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = isReachable.subscribe((isHeard) => {
      if (!isHeard) return;
      resolve();
      queueMicrotask(() => unsubscribe()); // the first call comes before `subscribe` returns
    });
  });

/** @param ask sends a small request, which `heard` is told of */
export function askUntilReachable(ask: () => Promise<unknown>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    void ask()
      .catch(() => undefined)
      .then(() => {
        if (!isReachable.value) timer = setTimeout(again, RETRY);
      });
  };
  effect(() => {
    clearTimeout(timer);
    if (!isReachable.value) timer = setTimeout(again, RETRY);
  });
  addEventListener("online", again);
}
