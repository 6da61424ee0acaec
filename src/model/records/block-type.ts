/** A kind of section that the site declares: what editors are offered, and the fields of its blocks. */
import type { FieldErrors } from "../../errors.ts";
import { nameError } from "../address/possible-names.ts";
import { BLOCK_KEYS, type BlockType } from "../fields/blocks.ts";
import { labelOf, type Definitions } from "../fields/definition.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { named, record, type Keys } from "../input/known-keys.ts";
import { BLOCK_ICONS } from "./block-icons.ts";
import { DEFINITION_KEYS } from "./schema.ts";
import { readDeclaration, type TypeReading } from "./type-change.ts";

export interface DeclaredBlockType extends BlockType {
  readonly id: Id;
  readonly label: string;
  /** What the block is for; "" for nothing. */
  readonly description: string;
  /** One of `BLOCK_ICONS`. */
  readonly icon: string;
  /** Path below templates/; "" for `blocks/<name>.html`. */
  readonly template: string;
  /** Path of a picture below media/ that shows what a block looks like; "" for none. */
  readonly preview: string;
}

export const BLOCK_TYPE_FIELDS: readonly FieldRow[] = [
  { name: "label", type: "text", max: 200, help: "What editors call the block; made from the name by default." },
  { name: "description", type: "text", help: "What the block is for." },
  {
    name: "icon",
    type: "text",
    help: `What editors see beside the label: ${BLOCK_ICONS.join(", ")}.`,
    check: (icon) =>
      BLOCK_ICONS.includes(icon) ? undefined : `There is no icon "${icon}": ${BLOCK_ICONS.join(", ")}.`,
  },
  { name: "category", type: "text", max: 100, help: "The heading under which editors find the block." },
  { name: "template", type: "text", max: 200, help: "Template below templates/; `blocks/<name>.html` by default." },
  { name: "preview", type: "text", max: 500, help: "Picture below media/ that shows what the block looks like." },
];

/** What is not in a file, and not sent. */
export const blockTypeDefaults = (name: string) => ({
  label: labelOf(name),
  description: "",
  icon: "block",
  category: "",
  template: "",
  preview: "",
});

/** No two names become the same name of a type in TypeScript. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const NAME_MAX = 64;

const SENT_FIELDS: readonly FieldRow[] = [{ name: "name", type: "text", blank: false }, ...BLOCK_TYPE_FIELDS];
const KEYS: Keys = record({ ...named(...SENT_FIELDS.map((row) => row.name)), schema: DEFINITION_KEYS }, [
  "preview_url",
]);

/** What is wrong with the name and the fields of a type, in its file as in a write; absent values are right. */
export function blockTypeErrors({ name, schema }: { name?: string; schema?: Definitions }): FieldErrors {
  const taken = schema?.find((each) => BLOCK_KEYS.includes(each.name));
  const isName = name === undefined || (name.length <= NAME_MAX && NAME.test(name));
  const wrong = isName ? name !== undefined && nameError(name) : NOT_A_NAME(name);
  return {
    ...(wrong && { name: [wrong] }),
    ...(taken && { schema: [`Every block has "${taken.name}" already: the field needs another name.`] }),
  };
}

const NOT_A_NAME = (name: string): string =>
  `"${name}" cannot name a block type: small letters and digits, in words with - between them.`;

/** The sent values of a write to a type. @throws CmsError `invalid` with every offending field */
export const readBlockTypeChange = (body: unknown, reading: TypeReading): Partial<Omit<DeclaredBlockType, "id">> =>
  readDeclaration<DeclaredBlockType>(
    body,
    { rows: SENT_FIELDS, keys: KEYS, required: ["name"], errorsOf: blockTypeErrors },
    reading,
  );

/** Where the template of a type is that names none, below templates/. */
export const blockTemplate = (type: string): string => `blocks/${type}.html`;
