/** Steps of a batch that run at the same time. */
import { pace } from "../../time-slices.ts";

/**
 * Runs `work` on each item, at most `limit` at a time. The first error is thrown after all started work has ended.
 *
 * Yields to other requests (time-slices.ts), because most calls of `diskFs` are synchronous and never do.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      await pace();
      if (next >= items.length || failures.length > 0) return;
      const at = next++;
      try {
        results[at] = await work(items[at] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Like `Promise.all`, but rejects only after all promises have settled, so that no work continues after the error. */
export async function allEnded<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
