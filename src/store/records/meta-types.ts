/** Meta types on disk: `content/meta-types/<key>.yaml`, with their field definitions under `schema`. */
import { UNDATED } from "../../model/time/instant.ts";
import { isKey, TYPE_FIELDS, WRONG_KEY, type MetaType } from "../../model/records/meta.ts";
import { freeBase, splitSingle } from "./record-type.ts";
import { tableKind } from "./file-rows.ts";

const DIR = "content/meta-types";
const [KEY, NAME, DESCRIPTION] = TYPE_FIELDS;

export const META_TYPES = tableKind<MetaType>({
  name: "MetaType",
  help: "A content type; its instances are below content/meta-instances/<key>/.",
  dir: DIR,
  rows: {
    key: { field: KEY },
    name: { field: NAME },
    description: { field: DESCRIPTION, default: "" },
    created_at: { type: "moment", default: UNDATED, help: "When it was created." },
    updated_at: { type: "moment", defaultAs: "created_at", help: "When it was last changed." },
    schema: { type: "definitions", absent: [] },
  },
  split(path) {
    const at = splitSingle(DIR, path);
    return at && !at.base.slice(DIR.length + 1).includes("/") ? at : undefined;
  },
  complete(type, errors, base) {
    const ofFile = base.slice(DIR.length + 1);
    const [key, name] = [type.key ?? ofFile, type.name ?? ofFile];
    if (!isKey(key)) errors.key = [WRONG_KEY];
    return { ...type, key, name };
  },
  namesOf: ({ key }) => [key],
  newBase: (type, used) => freeBase(DIR, type.key, used),
});
