/** Meta types on disk: `content/meta-types/<key>.yaml`, with their field definitions under `schema`. */
import { UNDATED } from "../../model/time/instant.ts";
import { own } from "../../model/input/json.ts";
import { isKey, TYPE_FIELDS, WRONG_KEY, type MetaType } from "../../model/records/meta.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { readDefinitions, storedDefinitions } from "../../model/records/schema.ts";
import { freeBase, splitSingle } from "./record-type.ts";

import { oneFileKind, readFields, readId, readMoment, writeFields, type FileErrors } from "./fields.ts";

const DIR = "content/meta-types";

const DEFINITION = ["name", "label", "kind", "required", "translated", "target_model", "target", "children"];

export const META_TYPES = oneFileKind<MetaType>({
  name: "MetaType",
  dir: DIR,
  order: () => [["id", "key", "name", "description", "created_at", "updated_at", "schema"], DEFINITION],
  split(path) {
    const at = splitSingle(DIR, path);
    return at && !at.base.slice(DIR.length + 1).includes("/") ? at : undefined;
  },
  read(data, { base, errors, locales }) {
    const key = base.slice(DIR.length + 1);
    const created = readMoment(data, "created_at", errors, locales);
    const read = readDefinitions(own(data, "schema") ?? [], canonicalModelName, locales.fieldKinds);
    const fields = readFields(TYPE_FIELDS, data, errors, locales);
    if (!isKey(String(fields.key ?? key))) errors.key = [WRONG_KEY];
    if ("errors" in read) errors.schema = read.errors as FileErrors;
    return {
      key,
      name: key,
      description: "",
      ...fields,
      id: readId(data, base, errors),
      schema: "definitions" in read ? read.definitions : [],
      created_at: created ?? UNDATED,
      updated_at: readMoment(data, "updated_at", errors, locales) ?? created ?? UNDATED,
    };
  },
  write(type) {
    return {
      id: type.id,
      key: type.key,
      name: type.name,
      ...writeFields(TYPE_FIELDS.slice(2), type, { description: "" }),
      ...(type.created_at !== UNDATED && { created_at: type.created_at }),
      ...(type.updated_at !== type.created_at && { updated_at: type.updated_at }),
      schema: storedDefinitions(type.schema),
    };
  },
  namesOf: ({ key }) => [key],
  newBase: (type, used) => freeBase(DIR, type.key, used),
});
