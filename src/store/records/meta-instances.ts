/**
 * Instances on disk: `content/meta-instances/<type key>/**\/<name>.yaml`.
 *
 * The data is read without validation, since its type is in another file: data that no longer matches is served all the
 * same, and reported by `cms check`.
 */
import { UNDATED } from "../../model/time/instant.ts";
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import { INSTANCE_FIELDS, type MetaInstance } from "../../model/records/meta.ts";
import { isId, type Id } from "../../model/input/id.ts";
import { visitData } from "../../model/records/schema.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import { fileSlug, slugify } from "../../model/address/slug.ts";
import { freeBase, type Base } from "./record-type.ts";
import type { FileErrors } from "./fields.ts";
import { tableKind } from "./file-rows.ts";

const DIR = "content/meta-instances";
/** Above this many records a folder gets a folder for each month, since git rewrites a whole folder a commit. */
const FOLDER_MAX = 500;
const NAME_MAX = 60;

export const META_INSTANCES = tableKind<MetaInstance>({
  name: "MetaInstance",
  help: "An instance of a meta type.",
  dir: DIR,
  rows: {
    meta_type: { type: "reference", read: readTypeId, default: null, nullable: true, help: "Id or key of the type." },
    identifier: { field: INSTANCE_FIELDS[0], default: "" },
    created_at: { type: "moment", default: UNDATED, help: "When it was created." },
    updated_at: { type: "moment", defaultAs: "created_at", help: "When it was last changed." },
    data: { type: "mapping", default: {}, expected: "Expected a mapping (key: value)." },
  },
  complete: (instance, _errors, base) => ({ ...instance, folder: folderOf(base) }),
  visitReferences(instance, visit, schemas) {
    const type = visit("cms.MetaType", instance.meta_type, "meta_type") as Id | null;
    const schema = schemas.metaType(instance);
    const data = schema ? visitData(schema, instance.data, visit) : instance.data;
    return type === instance.meta_type && data === instance.data ? instance : { ...instance, meta_type: type, data };
  },
  namesOf: ({ identifier }) => (identifier === "" ? [] : [identifier]),
  newBase(instance, used) {
    const folder = `${DIR}/${instance.folder}`;
    const month = used.count(folder) >= FOLDER_MAX ? `${folder}/${instance.created_at.slice(0, 7)}` : folder;
    const name = fileSlug(instance.identifier || firstText(instance.data), NAME_MAX);
    return freeBase(month, name || String(instance.id), used);
  },
});

/** The first folder below `DIR`; "" for a file directly in it. */
const folderOf = (base: Base): string => /^[^/]+(?=\/)/.exec(base.slice(DIR.length + 1))?.[0] ?? "";

function readTypeId(id: Json, errors: FileErrors): number | null {
  if (isId(id)) return id;
  if (isReferenceName(id)) return unresolved(id.trim());
  errors.meta_type = ["The id or key of a meta type is expected; without this line the folder says which it is."];
  return null;
}

/** The number of texts that are tried for a name: data may have tens of thousands that are not suitable. */
const TEXTS_MAX = 20;

/** A readable name for the file: the first text in the data. */
function firstText(data: JsonObject): string {
  let looked = 0;
  for (const text of textsIn(data)) {
    if (looked++ === TEXTS_MAX) break;
    if (!/^\d{4}-\d{2}-\d{2}/.test(text) && slugify(text) !== "") return text;
  }
  return "";
}

function* textsIn(data: JsonObject): Generator<string> {
  for (const value of Object.values(data)) {
    if (typeof value === "string") yield value;
    else if (isObject(value)) yield* textsIn(value);
  }
}
