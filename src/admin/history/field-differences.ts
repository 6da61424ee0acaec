/** Differences of two states of a record, field by field. */
import { isList, isRecord, isSame, type Json, type Values } from "../json.ts";

export interface FieldDifference {
  /** The names of the fields that lead to the value; items of lists by their index. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** A value as a text that can be compared word by word. */
export type Shown = (value: Json, path: readonly string[]) => string;

/** @param names of the fields to be compared, in this order @param shown by default as nothing is declared of them */
export const fieldDifferences = (
  before: Values,
  after: Values,
  names: readonly string[],
  shown: Shown = shownValue,
): FieldDifference[] => names.flatMap((name) => differences([name], before[name] ?? null, after[name] ?? null, shown));

function differences(path: readonly string[], before: Json, after: Json, shown: Shown): FieldDifference[] {
  if (isSame(before, after)) return [];
  if (isBlocks(before) || isBlocks(after)) return blockDifferences(path, blocksOf(before), blocksOf(after), shown);
  const [old, now] = [partsOf(before), partsOf(after)];
  if (!old && !now) {
    const difference = { path, before: shown(before, path), after: shown(after, path) };
    return difference.before === difference.after ? [] : [difference];
  }
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return keys.flatMap((key) => differences([...path, key], old?.[key] ?? null, now?.[key] ?? null, shown));
}

/** Sections are compared with what they were, wherever they stand; which there are, and in which order, is one difference. */
function blockDifferences(
  path: readonly string[],
  before: readonly Values[],
  after: readonly Values[],
  shown: Shown,
): FieldDifference[] {
  const kinds = (blocks: readonly Values[]): string => blocks.map(({ type }) => kindOf(type)).join(", ");
  const idsOf = (blocks: readonly Values[]): string => blocks.map(({ id }) => String(id)).join(" ");
  const places = idsOf(before) === idsOf(after) ? [] : [{ path, before: kinds(before), after: kinds(after) }];
  const find = (blocks: readonly Values[], id: Json | undefined) => blocks.find((block) => block.id === id);
  const gone = before.flatMap((block, at) => (find(after, block.id) ? [] : [{ at, old: block, now: undefined }]));
  const here = after.map((block, at) => ({ at, old: find(before, block.id), now: block }));
  return [
    ...places,
    ...[...here, ...gone].flatMap(({ at, old, now }) =>
      differences([...path, String(at)], old ? fieldsOf(old) : null, now ? fieldsOf(now) : null, shown),
    ),
  ];
}

const isBlocks = (value: Json): boolean =>
  isList(value) &&
  value.length > 0 &&
  value.every((item) => isRecord(item) && typeof item.type === "string" && typeof item.id === "string");

const blocksOf = (value: Json): readonly Values[] => (isList(value) ? value.filter(isRecord) : []);

const fieldsOf = ({ type: _type, id: _id, ...fields }: Values): Values => fields;

/** `call-to-action` -> `Call to action` */
const kindOf = (type: Json | undefined): string => {
  const words = String(type).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** undefined: the value is compared as a whole. */
function partsOf(value: Json): Values | undefined {
  if (isList(value)) return Object.fromEntries(value.map((item, at) => [String(at), item]));
  return isRecord(value) && !isReference(value) && !("link_type" in value) ? value : undefined;
}

/** A record that is served in place of its id. */
const isReference = (value: Json): value is Values => isRecord(value) && typeof value.id === "number";

function shownValue(value: Json): string {
  if (value === null) return "";
  if (isList(value)) return value.map(shownValue).join("\n");
  if (isReference(value)) return String(value.title ?? value.name ?? value.permalink ?? `#${String(value.id)}`);
  if (isRecord(value) && "link_type" in value)
    return shownValue(value.link_type === "RE" ? (value.url_node ?? null) : (value.static ?? null));
  if (isRecord(value)) return Object.values(value).map(shownValue).join("\n");
  return String(value);
}

/** The values of a language, without those of the default one in their place. */
export const ownValues = (payload: Values, lang: string): Values => ({
  ...payload,
  ...((isRecord(payload.translations) && isRecord(payload.translations[lang]) && payload.translations[lang]) as Values),
});
