/** Kinds of sections on disk: `content/block-types/<name>.yaml`, which only people write. */
import { derived } from "../../memo.ts";
import { BLOCK_KEYS, hasBlocks, linkedDefinitions } from "../../model/fields/blocks.ts";
import { labelOf, type Definitions } from "../../model/fields/definition.ts";
import { own } from "../../model/input/json.ts";
import { BLOCK_TYPE_FIELDS, type DeclaredBlockType } from "../../model/records/block-type.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { readDefinitions, storedDefinitions } from "../../model/records/schema.ts";
import { derivedId, oneFileKind, readFields, writeFields, type FileErrors } from "./fields.ts";
import type { Reader } from "./record-type.ts";

const DIR = "content/block-types";

/** No two names become the same name of a type in TypeScript. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const NAME_MAX = 64;

const DEFAULTS = { description: "", icon: "block", category: "", template: "", preview: "" };

export const BLOCK_TYPES = oneFileKind<DeclaredBlockType>({
  name: "BlockType",
  dir: DIR,
  order: () => [["label", "description", "icon", "category", "template", "preview", "schema"]],
  read(data, { base, errors, locales }) {
    const name = base.slice(DIR.length + 1);
    if (name.length > NAME_MAX || !NAME.test(name))
      errors.name = [`"${name}" cannot name a block type: small letters and digits, in words with - between them.`];
    const fields = readFields(BLOCK_TYPE_FIELDS, data, errors, locales);
    const read = readDefinitions(own(data, "schema") ?? [], canonicalModelName, locales.fieldKinds);
    if ("errors" in read) errors.schema = read.errors as FileErrors;
    const schema = "definitions" in read ? read.definitions : [];
    const taken = schema.find((each) => BLOCK_KEYS.includes(each.name));
    if (taken) errors.schema = [`Every block has "${taken.name}" already: the field needs another name.`];
    return { ...DEFAULTS, label: labelOf(name), ...fields, id: derivedId(base), name, schema };
  },
  write: (type) => ({
    ...writeFields(BLOCK_TYPE_FIELDS, type, { ...DEFAULTS, label: labelOf(type.name) }),
    schema: storedDefinitions(type.schema),
  }),
  newBase: (type) => `${DIR}/${type.name}`,
});

/** All of them, by name. */
export const blockTypesIn = (reader: Pick<Reader, "all">): readonly DeclaredBlockType[] =>
  byName(reader.all(BLOCK_TYPES));

const byName = derived((types: readonly DeclaredBlockType[]): readonly DeclaredBlockType[] =>
  [...types].sort((a, b) => (a.name < b.name ? -1 : 1)),
);

/** Definitions whose fields of the kind `blocks` know the fields of each type; the same list where there is none. */
export const linkedSchema = (reader: Pick<Reader, "all">, schema: Definitions): Definitions =>
  hasBlocks(schema) ? linkedDefinitions(blockTypesIn(reader))(schema) : schema;

/** A page model or meta type with its schema linked. */
export const withLinkedSchema = <T extends { readonly schema: Definitions }>(
  reader: Pick<Reader, "all">,
  record: T,
): T => (hasBlocks(record.schema) ? (linkedRecord(blockTypesIn(reader))(record) as T) : record);

const linkedRecord = derived((types: readonly DeclaredBlockType[]) =>
  derived((record: { readonly schema: Definitions }) => ({
    ...record,
    schema: linkedDefinitions(types)(record.schema),
  })),
);
