/**
 * Sections of a page: a list of typed blocks, whose types the site declares.
 *
 * The definitions in a page model name only which types a field takes. `linkedDefinitions` adds the fields of the types, so
 * that all that reads data along its definitions reads blocks.
 */
import { derived, keptBy } from "../../memo.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { NOT_A_LIST } from "../input/input-errors.ts";
import { BLOCK_TYPES, type AllowedBlocks, type Definitions, type FieldDefinition } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

/** A kind of section that the site declares in `content/block-types/`. */
export interface BlockType {
  /** The name of its file, which blocks have as `type`. */
  readonly name: string;
  readonly category: string;
  readonly schema: Definitions;
}

/** Among the `types` of a field: those that it does not name. */
export const EVERY_OTHER = "*";

/** The keys of every block, which no type may declare. */
export const BLOCK_KEYS: readonly string[] = ["type", "id", "hidden"];

const ID_FIELD: FieldDefinition = { name: "id", label: "Id", help: "Stable; made by a write where it is left out." };
const HIDDEN_FIELD: FieldDefinition = {
  name: "hidden",
  label: "Hidden",
  kind: "boolean",
  help: "Whether it is kept, but not shown.",
};

/** Of definitions that were never linked: no type is known. */
const NO_TYPES: AllowedBlocks = { names: [], fieldsOf: () => undefined };

const allowedIn = (definition: FieldDefinition): AllowedBlocks => definition[BLOCK_TYPES] ?? NO_TYPES;

/** The names of the types that a field takes, in the order in which editors are offered them. */
export const blockNames = (definition: FieldDefinition): readonly string[] => allowedIn(definition).names;

export const blocks: FieldKind = {
  nests: "many",
  isIdentified: true,
  fieldsOf(definition, item) {
    const { names, fieldsOf } = allowedIn(definition);
    const type = isObject(item) ? own(item, "type") : undefined;
    return (typeof type === "string" ? fieldsOf(type) : undefined) ?? keyFields(names);
  },
  schema(definition, record) {
    const { names, fieldsOf } = allowedIn(definition);
    const { minimum, maximum } = definition;
    if (names.length === 0) return { type: "array", maxItems: 0 };
    return {
      type: "array",
      items: {
        oneOf: names.map((type) => record({ type, fields: fieldsOf(type)! })),
        discriminator: { propertyName: "type" },
      },
      ...(minimum !== undefined && { minItems: minimum }),
      ...(maximum !== undefined && { maxItems: maximum }),
    };
  },
  typeError: (value) => [NOT_A_LIST(value)],
};

const keyFields = derived((names: readonly string[]): Definitions => {
  const choices = names.map((value) => ({ value, label: value }));
  return [{ name: "type", label: "Type", kind: "select", required: true, choices }, ID_FIELD, HIDDEN_FIELD];
});

/**
 * Definitions whose fields of the kind `blocks` know the fields of each type; the same list where there is none.
 *
 * Types are linked when they are first asked for, since a type may contain itself.
 */
export const linkedDefinitions = derived((types: readonly BlockType[]) => {
  const lists = new Map<string, AllowedBlocks>();
  const allowed = ({ types: sent }: FieldDefinition): AllowedBlocks => {
    // In the order in which the field names them.
    const rank = ({ name, category }: BlockType): number => {
      const places = sent ? [name, `@${category}`, EVERY_OTHER].map((each) => sent.indexOf(each)) : [0];
      return places.find((at) => at >= 0) ?? -1;
    };
    const ranked = types.map((type) => ({ type, at: rank(type) })).filter(({ at }) => at >= 0);
    const ordered = ranked.sort((one, other) => one.at - other.at);
    const byName = new Map(ordered.map(({ type }) => [type.name, type]));
    return keptBy(lists, [...byName.keys()].join(" "), () => {
      const fields = new Map<string, Definitions>();
      const made = (type: BlockType): Definitions =>
        keptBy(fields, type.name, () => [...keyFields([type.name]), ...link(type.schema)]);
      return {
        names: [...byName.keys()],
        fieldsOf(name) {
          const type = byName.get(name);
          return type && made(type);
        },
      };
    });
  };
  const link = derived((definitions: Definitions): Definitions => {
    if (!hasBlocks(definitions)) return definitions;
    return definitions.map((definition) => ({
      ...definition,
      ...(definition.children && { children: link(definition.children) }),
      ...(definition.kind === "blocks" && { [BLOCK_TYPES]: allowed(definition) }),
    }));
  });
  return link;
});

const EVERY: Definitions = [{ name: "blocks", label: "Blocks", kind: "blocks" }];

/** What a field takes that names no types: all of them. */
export const everyBlock = (types: readonly BlockType[]): AllowedBlocks =>
  allowedIn(linkedDefinitions(types)(EVERY)[0]!);

/** The name of the schema of a block: `call-to-action` -> `CallToActionBlock`. */
export const blockSchemaName = (type: string): string =>
  type.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase()) + "Block";

/** Whether there is a field of the kind `blocks`, at any depth. */
export const hasBlocks = derived((definitions: Definitions): boolean =>
  definitions.some(({ kind, children }) => kind === "blocks" || (children !== undefined && hasBlocks(children))),
);

/**
 * Blocks that all have an id, no two the same one: the first keeps it. The same list when nothing is missing.
 *
 * @param make an id for the block at a position, counted from 0; it is asked again for one that is taken
 */
export function withBlockIds(items: readonly Json[], make: (at: number, attempt: number) => string): readonly Json[] {
  const taken = new Set<string>();
  const lacking = items.map((item) => {
    const id = isObject(item) ? own(item, "id") : undefined;
    const isLacking = isObject(item) && (id === undefined || id === null || id === "" || taken.has(String(id)));
    if (typeof id === "string") taken.add(id);
    return isLacking;
  });
  if (!lacking.includes(true)) return items;
  return items.map((item, at) => {
    if (!lacking[at] || !isObject(item)) return item;
    let id = make(at, 0);
    for (let attempt = 1; taken.has(id); attempt++) id = make(at, attempt);
    taken.add(id);
    const { type, id: _, ...fields } = item;
    return { ...(type !== undefined && { type }), id, ...fields };
  });
}

/** The id of a new block: short, since people read it in files, and never like a number, which YAML quotes. */
export const blockIdFrom = (uuid: string): string => `b${uuid.slice(-7)}`;

/** The id of a block in a file that has none: its position, until a write stores one. */
export const idByPosition = (at: number, attempt: number): string =>
  attempt === 0 ? `b${at + 1}` : `b${at + 1}-${attempt}`;

/** Whether a block is kept, but not shown. */
export const isHiddenBlock = (item: unknown): boolean => isObject(item) && own(item, "hidden") === true;

export const shownBlocks = (items: readonly Json[]): readonly Json[] => items.filter((item) => !isHiddenBlock(item));
