/** Meta types on disk: `content/meta-types/<key>.yaml`, with their field definitions under `schema`. */
import { invalid } from "../../errors.ts";
import { UNDATED } from "../../model/time/instant.ts";
import { own, type JsonObject } from "../../model/input/json.ts";
import { isKey, TYPE_FIELDS, WRONG_KEY, type MetaType } from "../../model/records/meta.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { readDefinitions, storedDefinitions } from "../../model/records/schema.ts";
import { freeBase, splitSingle, type Kind } from "./record-type.ts";

import { readFields, readId, readMoment, writeFields, type FileErrors } from "./fields.ts";

const DIR = "content/meta-types";

const DEFINITION = ["name", "label", "kind", "required", "translated", "target_model", "children"];

export const META_TYPES: Kind<MetaType> = {
  name: "MetaType",
  dir: DIR,
  order: () => [["id", "key", "name", "description", "created_at", "updated_at", "schema"], DEFINITION],
  split(path) {
    const at = splitSingle(DIR, path);
    return at && !at.base.slice(DIR.length + 1).includes("/") ? at : undefined;
  },
  fromFiles(base, files, locales) {
    const { data } = [...files.values()][0]!;
    const errors: FileErrors = {};
    const key = base.slice(DIR.length + 1);
    const created = readMoment(data, "created_at", errors, locales);
    const read = readDefinitions(own(data, "schema") ?? [], canonicalModelName, locales.fieldKinds);
    const fields = readFields(TYPE_FIELDS, data, errors, locales);
    const type: MetaType = {
      key,
      name: key,
      description: "",
      ...fields,
      id: readId(data, base, errors),
      schema: "definitions" in read ? read.definitions : [],
      created_at: created ?? UNDATED,
      updated_at: readMoment(data, "updated_at", errors, locales) ?? created ?? UNDATED,
    };
    if (!isKey(type.key)) errors.key = [WRONG_KEY];
    const all = "errors" in read ? { ...errors, schema: read.errors } : errors;
    if (Object.keys(all).length > 0) throw invalid(all);
    return type;
  },
  toFiles(type, main) {
    const data: JsonObject = {
      id: type.id,
      key: type.key,
      name: type.name,
      ...writeFields(TYPE_FIELDS.slice(2), type, { description: "" }),
      ...(type.created_at !== UNDATED && { created_at: type.created_at }),
      ...(type.updated_at !== type.created_at && { updated_at: type.updated_at }),
      schema: storedDefinitions(type.schema),
    };
    return new Map([[main, { data }]]);
  },
  namesOf: ({ key }) => [key],
  newBase: (type, used) => freeBase(DIR, type.key, used),
};
