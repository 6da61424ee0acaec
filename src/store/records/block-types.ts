/** Kinds of sections on disk: `content/block-types/<name>.yaml`. */
import { CmsError } from "../../errors.ts";
import { derived } from "../../memo.ts";
import { hasBlocks, linkedDefinitions } from "../../model/fields/blocks.ts";
import type { Definitions } from "../../model/fields/definition.ts";
import type { Id } from "../../model/input/id.ts";
import { own } from "../../model/input/json.ts";
import {
  BLOCK_TYPE_FIELDS,
  blockTypeDefaults,
  blockTypeErrors,
  type DeclaredBlockType,
} from "../../model/records/block-type.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { readDefinitions, storedDefinitions } from "../../model/records/schema.ts";
import { derivedId, oneFileKind, readFields, writeFields, type FileErrors } from "./fields.ts";
import type { Reader } from "./record-type.ts";

const DIR = "content/block-types";

/** Where the type of a name has its file. */
const baseOf = (name: string): string => `${DIR}/${name}`;

/** The id of the type of a name, whether there is one or not: a name stays with its type. */
export const blockTypeId = (name: string): Id => derivedId(baseOf(name));

export const BLOCK_TYPES = oneFileKind<DeclaredBlockType>({
  name: "BlockType",
  dir: DIR,
  order: () => [["label", "description", "icon", "category", "template", "preview", "schema"]],
  read(data, { base, errors, locales }) {
    const name = base.slice(DIR.length + 1);
    const fields = readFields(BLOCK_TYPE_FIELDS, data, errors, locales);
    const read = readDefinitions(own(data, "schema") ?? [], canonicalModelName, locales.fieldKinds);
    if ("errors" in read) errors.schema = read.errors as FileErrors;
    const schema = "definitions" in read ? read.definitions : [];
    Object.assign(errors, blockTypeErrors({ name, schema }));
    return { ...blockTypeDefaults(name), ...fields, id: derivedId(base), name, schema };
  },
  write: (type) => ({
    ...writeFields(BLOCK_TYPE_FIELDS, type, blockTypeDefaults(type.name)),
    schema: storedDefinitions(type.schema),
  }),
  newBase(type, used) {
    const base = baseOf(type.name);
    if (used.taken(base))
      throw new CmsError("conflict", `There is a file ${base} that does not load. Mend or remove it.`);
    return base;
  },
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
