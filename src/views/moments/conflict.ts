/** Conflicts of syncs, as they are listed. */
import type { Json, JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { ConflictSide, OpenConflict } from "../../store/sync/conflicts/conflict-list.ts";
import { recordName } from "../records/record-name.ts";

/** @param lang the language in which records are named */
export function conflictPayload(conflict: OpenConflict, lang: Lang): JsonObject {
  const { past, path, kind, entry, field, language, ours, theirs } = conflict;
  return {
    id: past.id,
    kind: past.kind,
    path,
    record: kind && entry ? { model: kind.name, id: entry.record.id, name: recordName(entry.record, lang) } : null,
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
