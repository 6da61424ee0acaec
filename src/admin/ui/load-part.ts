/** Parts of the editor that are not in its first download. */
import { ApiError, request } from "../api.ts";
import { isReachable, whenReachable } from "../connection.ts";
import { text } from "../i18n.ts";

/**
 * Loads again once the server answers, as long as it does not.
 * @throws ApiError when the server answers but does not have the part: it has another version of the editor now
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let refusals = 0; refusals < 2;) {
    try {
      return await load();
    } catch {
      await request("GET", "languages/", { isOnce: true }).catch(() => undefined);
      if (isReachable.value) refusals++;
      else await whenReachable();
    }
  }
  throw new ApiError(404, text("partMissing"));
}
