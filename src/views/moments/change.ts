/** Payloads of the latest commits, for the editor's home screen. */
import { showInstant } from "../../model/time/instant.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { placeOf } from "../../store/content/load.ts";
import type { LogEntry, Path } from "../../store/repo.ts";
import type { Store } from "../../store/write/store.ts";

/** Files listed of one commit; `file_count` has the number of all. */
const FILES = 20;

export function changePayload({ kinds, current }: Store, { id, at, author, message, changed }: LogEntry): JsonObject {
  const recordOf = (path: Path): JsonObject | null => {
    const place = placeOf(kinds, path);
    const entry = place && current.table(place.kind).byBase.get(place.base);
    return place && entry ? { model: place.kind.name, id: entry.record.id } : null;
  };
  return {
    commit: id,
    date: showInstant(at),
    author: author.name,
    subject: message.trim().split("\n", 1)[0] ?? "",
    file_count: changed.size,
    files: [...changed.keys()].slice(0, FILES).map((path) => ({ path, record: recordOf(path) })),
  };
}
