/** `If-Match`: a write is refused if the record is no longer as its author read it. */
import { CmsError } from "../../errors.ts";

/**
 * @param current the version that is stored now
 * @param versions those that the author accepts; undefined for any
 * @throws CmsError `stale`, whose `fields` have the current version
 */
export function refuseStale(current: string, versions: readonly string[] | undefined): void {
  if (!versions || versions.includes(current)) return;
  throw new CmsError(
    "stale",
    "This was changed meanwhile. Read it again, then repeat the change on the newest version.",
    {
      fields: { current },
    },
  );
}
