/** The log of a build. The errors logged while a page is made, such as failures of plugins, are reported with the page. */
import type { Log } from "../env.ts";

export interface PageLog extends Log {
  /** Runs the work and adds the errors logged meanwhile to a set. Calls must not overlap. */
  collect<T>(errors: Set<string>, work: () => Promise<T>): Promise<T>;
}

/** @param log takes everything that is not collected */
export function openPageLog(log: Log): PageLog {
  let collected: Set<string> | undefined;
  return {
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    error: (message, cause) => void (collected ? collected.add(message) : log.error(message, cause)),
    async collect(errors, work) {
      collected = errors;
      try {
        return await work();
      } finally {
        collected = undefined;
      }
    },
  };
}
