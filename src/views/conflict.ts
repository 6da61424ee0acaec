/** Conflicts of syncs, as they are listed. */
import type { Json, JsonObject } from "../model/json.ts";
import type { ConflictSide, OpenConflict } from "../store/sync/conflict-list.ts";

export function conflictPayload({ past, path, kind, entry, field, language, ours, theirs }: OpenConflict): JsonObject {
  return {
    id: past.id,
    kind: past.kind,
    path,
    record: kind && entry ? { model: kind.name, id: entry.record.id } : null,
    field,
    language,
    deleted_by: past.by ?? null,
    draft: past.draft ?? null,
    merge: past.merge,
    ours: side(ours),
    theirs: side(theirs),
  };
}

/** A value that was removed is null. */
const side = ({ value, commit, author, at }: ConflictSide): JsonObject => ({
  value: value ?? (null as Json),
  commit,
  author,
  date: at,
});
