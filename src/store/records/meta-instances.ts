/**
 * Instances on disk: `content/meta-instances/<type key>/**\/<name>.yaml`.
 *
 * The data is read without validation, since its type is in another file: data that no longer matches is served all the
 * same, and reported by `cms check`.
 */
import { UNDATED } from "../../model/time/instant.ts";
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { INSTANCE_FIELDS, type MetaInstance } from "../../model/records/meta.ts";
import { isId, type Id } from "../../model/input/id.ts";
import { visitData } from "../../model/records/schema.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import { fileSlug, slugify } from "../../model/address/slug.ts";
import { freeBase, type Base } from "./record-type.ts";
import { oneFileKind, readFields, readId, readMapping, readMoment, writeFields, type FileErrors } from "./fields.ts";

const DIR = "content/meta-instances";
/** Above this many records a folder gets a folder for each month, since git rewrites a whole folder a commit. */
const FOLDER_MAX = 500;
const NAME_MAX = 60;

export const META_INSTANCES = oneFileKind<MetaInstance>({
  name: "MetaInstance",
  dir: DIR,
  order: () => [["id", "meta_type", "identifier", "created_at", "updated_at", "data"]],
  read(data, { base, errors, locales }) {
    const created = readMoment(data, "created_at", errors, locales);
    return {
      identifier: "",
      ...readFields(INSTANCE_FIELDS, data, errors, locales),
      id: readId(data, base, errors),
      meta_type: readTypeId(data, errors),
      folder: folderOf(base),
      data: readMapping(data, "data", errors),
      created_at: created ?? UNDATED,
      updated_at: readMoment(data, "updated_at", errors, locales) ?? created ?? UNDATED,
    };
  },
  write(instance) {
    return {
      id: instance.id,
      ...(instance.meta_type !== null && { meta_type: instance.meta_type }),
      ...writeFields(INSTANCE_FIELDS, instance, { identifier: "" }),
      ...(instance.created_at !== UNDATED && { created_at: instance.created_at }),
      ...(instance.updated_at !== instance.created_at && { updated_at: instance.updated_at }),
      ...(Object.keys(instance.data).length > 0 && { data: instance.data }),
    };
  },
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

function readTypeId(data: JsonObject, errors: FileErrors): number | null {
  const id = own(data, "meta_type") ?? null;
  if (id === null || isId(id)) return id;
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
