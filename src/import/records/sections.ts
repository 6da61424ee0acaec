/**
 * Pages of an import that are built of blocks, where the site has block types of their names.
 *
 * A page becomes one of the page model with a field for sections when every part of its text in every language fits: a block
 * whose name is that of a type goes into it, each value into the field of its name, else into the only field of its kind that is
 * left; all other text goes into blocks of the type `text`. Where anything has no field, the page has its text as a whole, and that is told.
 */
import { flattenErrors } from "../../errors.ts";
import { BLOCK_KEYS, blockNames } from "../../model/fields/blocks.ts";
import { MEDIA_MODEL, type Definitions, type FieldDefinition, type KindName } from "../../model/fields/definition.ts";
import { childrenOf } from "../../model/fields/kinds.ts";
import { objectOf, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import { PAGE_MODEL } from "../../model/page/page.ts";
import { readData } from "../../model/records/schema.ts";
import { withLinkedSchema } from "../../store/records/block-types.ts";
import { PAGE_MODELS } from "../../store/records/page-models.ts";
import type { ImportRun } from "../import-run.ts";
import type {
  ImportedEntry,
  ImportedSection,
  ImportedText,
  ImportedValue,
  ImportedValues,
  ImportedWords,
  SourceId,
} from "../imported-site.ts";
import { resolveLinksIn, sourceIn, sourceLink, sourceReference } from "../texts/source-links.ts";

/** The block type that takes text. */
const TEXT_TYPE = "text";

/** Why a text cannot be blocks. */
class Unfit extends Error {
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

interface Target {
  readonly model: string;
  readonly schema: Definitions;
  readonly field: FieldDefinition;
  /** That of the text. */
  readonly lang: Lang;
  idOf(source: SourceId): number | undefined;
  isFile(source: SourceId): boolean;
}

/** The entry with its texts as sections, or as it is without any. */
export function withSections(run: ImportRun, entry: ImportedEntry): ImportedEntry {
  const texts = Object.entries(entry.texts);
  const plain: ImportedEntry = {
    ...entry,
    texts: objectOf(texts.map(([lang, { sections: _sections, ...text }]) => [lang, text] as const)),
  };
  if (texts.every(([, { sections }]) => sections === undefined)) return plain;
  const targets = targetsOf(run).filter(({ field }) =>
    texts.some(([, { sections = [] }]) => hasBlocksOf(sections, blockNames(field))),
  );
  const [target, other] = targets;
  const tell = (names: readonly string[]): void => {
    for (const { type, unless, remarks = [] } of texts.flatMap(([, text]) => text.sections ?? []))
      if (!isTyped(type, names) && !unless?.every((each) => names.includes(each)))
        for (const each of remarks) run.report.remark(each);
  };
  if (!target || entry.model !== PAGE_MODEL) {
    tell([]);
    return plain;
  }
  try {
    if (other)
      throw new Unfit(`${targets.map(({ model }) => model).join(", ")} take blocks: name one with --page-model.`);
    const { ctx } = run;
    if (entry.template !== undefined && !ctx.hasTemplate(entry.template))
      throw new Unfit(`Its template ${entry.template} is not in templates/.`);
    const converted = texts.map(([lang, text]) => {
      if (!ctx.locales.codes.includes(lang)) return [lang, text] as const;
      const { body: _body, sections: _sections, ...rest } = text;
      return [lang, { ...rest, data: dataOf(run, text, { ...target, lang }) }] as const;
    });
    tell(blockNames(target.field));
    return { ...plain, model: target.model, texts: objectOf(converted) };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    run.report.remark({
      file: entry.place.file,
      ...((error.line ?? entry.place.line) !== undefined && { line: error.line ?? entry.place.line }),
      message: `Its text stays in one piece, without blocks: ${error.message}`,
    });
    tell([]);
    return plain;
  }
}

/** The page models with a field for sections, or the one that was asked for. */
const targetsOf = ({ library: { tx }, pageModel, ids, media }: ImportRun): readonly Omit<Target, "lang">[] =>
  tx.all(PAGE_MODELS).flatMap((model) => {
    const { schema } = withLinkedSchema(tx, model);
    const field = schema.find(({ kind, translated }) => kind === "blocks" && !translated);
    if (!field || (pageModel !== undefined && model.name !== pageModel)) return [];
    return [
      {
        ...{ model: model.name, schema, field },
        idOf: (source: SourceId) => ids.get(source),
        isFile: (source: SourceId) => media.has(source),
      },
    ];
  });

const hasBlocksOf = (sections: readonly ImportedSection[], names: readonly string[]): boolean =>
  sections.some(({ type, inner = [] }) => isTyped(type, names) || hasBlocksOf(inner, names));

const isTyped = (type: string | undefined, names: readonly string[]): type is string =>
  type !== undefined && names.includes(type);

function dataOf({ ctx }: ImportRun, { sections, body = "", data = {} }: ImportedText, target: Target): JsonObject {
  const { schema, field } = target;
  const left = Object.keys(data).find((name) => name === field.name || !schema.some((each) => each.name === name));
  if (left !== undefined) throw new Unfit(`The page model "${target.model}" has no field for ${left}.`);
  const whole = { shown: "The text", forms: [], words: { text: body, isHtml: false } };
  const made = { ...data, [field.name]: blocksOf(sections ?? [whole], field, target) };
  // Links and references of entries are resolved later; any that are valid stand for them.
  const standIn = resolveLinksIn(
    made as JsonObject,
    () => "/x",
    () => 1,
  );
  const read = readData(schema, standIn, { locales: ctx.locales, mode: "input" });
  if ("data" in read) return made;
  const [first] = flattenErrors(typeof read.errors === "object" ? (read.errors as never) : {});
  throw new Unfit(`${(first?.path ?? []).join(".")}: ${first?.message ?? ""}`);
}

function blocksOf(sections: readonly ImportedSection[], definition: FieldDefinition, target: Target): readonly Json[] {
  const names = blockNames(definition);
  const blocks: Json[] = [];
  let between: ImportedSection[] = [];
  const endText = (): void => {
    const texts = between.filter(({ words }) => words.text.trim() !== "");
    between = [];
    const [first] = texts;
    if (!first) return;
    if (!names.includes(TEXT_TYPE))
      throw new Unfit(`There is no block type "${TEXT_TYPE}" for the text between its blocks.`, first.line);
    const text = texts.map(({ words }) => words.text.trim()).join("\n\n");
    const words = { text, isHtml: texts.every((each) => each.words.isHtml) };
    const forms = [{ text: { words: texts.length === 1 ? first.words : words } }];
    blocks.push(blockOf({ ...first, type: TEXT_TYPE, forms }, definition, target));
  };
  for (const section of unfolded(sections, names)) {
    if (section.unless?.every((type) => names.includes(type))) continue;
    if (!isTyped(section.type, names)) between.push(section);
    else {
      endText();
      blocks.push(blockOf(section, definition, target));
    }
  }
  endText();
  return blocks;
}

const unfolded = (sections: readonly ImportedSection[], names: readonly string[]): readonly ImportedSection[] =>
  sections.flatMap((section) => {
    const { type, inner } = section;
    return !inner || isTyped(type, names) || !hasBlocksOf(inner, names) ? [section] : unfolded(inner, names);
  });

function blockOf(section: ImportedSection, definition: FieldDefinition, target: Target): Json {
  const { type = TEXT_TYPE, shown, line, untold, forms } = section;
  if (untold !== undefined) throw new Unfit(`${shown} has what no field can have: ${untold}.`, line);
  const fields = childrenOf(definition, { type }).filter(({ name }) => !BLOCK_KEYS.includes(name));
  let refusal: Unfit | undefined;
  for (const values of forms) {
    try {
      return { type, ...fitted(fields, values, target) };
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      refusal = error;
    }
  }
  throw new Unfit(`${shown} does not fit the block type "${type}": ${refusal?.message ?? ""}`, refusal?.line ?? line);
}

/** Each value in the field of its name, else in the only field that takes it and is left. */
function fitted(fields: Definitions, values: ImportedValues, target: Target): JsonObject {
  const data = new Map<string, Json>();
  const rest: [string, ImportedValue][] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = fields.find((each) => each.name === name);
    const stored = field && storedIn(field, value, target);
    if (stored === undefined) rest.push([name, value]);
    else data.set(name, stored);
  }
  for (const [name, value] of rest) {
    const left = "isNamed" in value ? [] : fields.filter((each) => !data.has(each.name));
    const taking = kindsFor(value).map((kinds) => left.filter((each) => takes(each, kinds)));
    const [field, other] = taking.find((each) => each.length > 0) ?? [];
    const stored = field && !other ? storedIn(field, value, target) : undefined;
    if (stored === undefined) throw new Unfit(`it has no field for "${name}".`);
    data.set(field!.name, stored);
  }
  // In the order of the type.
  return objectOf(fields.flatMap(({ name }) => (data.has(name) ? [[name, data.get(name)!] as const] : [])));
}

/** The kinds for a value whose name no field has, those that fit best first. */
function kindsFor(value: ImportedValue): readonly (readonly KindName[])[] {
  if ("media" in value) return [["media", "ref"]];
  if ("address" in value) return [["permalink"], ["url"]];
  if ("items" in value) return [["list"], ["blocks"], ["queryset"]];
  if ("plain" in value) return [["string"], ["textarea"], ["text"]];
  const { isHtml, plain } = value.words;
  const formatted: readonly KindName[] = isHtml ? ["text", "html"] : ["text"];
  return [...("sections" in value ? [["blocks"] as const] : []), formatted, ...(plain === undefined ? [] : PLAIN)];
}

const PLAIN: readonly (readonly KindName[])[] = [["textarea"], ["string"]];

function takes({ kind = "string", target_model, translated }: FieldDefinition, kinds: readonly KindName[]): boolean {
  const isOther = (kind === "ref" || kind === "queryset") && target_model !== MEDIA_MODEL;
  return !translated && !isOther && kinds.includes(kind);
}

/** What a field stores for a value; undefined where it cannot. */
function storedIn(field: FieldDefinition, value: ImportedValue, target: Target): Json | undefined {
  const { kind = "string" } = field;
  if ("plain" in value) return field.translated ? undefined : plainIn(kind, value.plain);
  if ("address" in value && kind === "string") return value.address;
  if (!takes(field, kindsFor(value).flat())) return undefined;
  if ("address" in value) return addressIn(kind, value.address, target);
  if ("items" in value) return value.items.map((item) => itemIn(field, item, target));
  if ("sections" in value && kind === "blocks") return blocksOf(value.sections, field, target);
  if ("words" in value) return wordsIn(kind, value.words);
  const id = target.idOf(value.media);
  if (id === undefined) throw new Unfit("a file that it shows is not imported.");
  return id;
}

function itemIn(
  field: FieldDefinition,
  { type, values }: { type: string; values: ImportedValues },
  target: Target,
): Json {
  if (field.kind === "list") return fitted(childrenOf(field), values, target);
  if (field.kind === "queryset") {
    const ids = Object.values(fitted([{ name: "media", label: "", kind: "media" }], values, target));
    if (ids.length === 1) return ids[0]!;
    throw new Unfit("a file in it is not alone.");
  }
  if (blockNames(field).includes(type)) {
    const words = { text: "", isHtml: false };
    return blockOf({ type, shown: `Its ${type}`, forms: [values], words }, field, target);
  }
  // A block that holds one other may be left out.
  const [value, more] = Object.values(values);
  const inner = value && !more && "sections" in value ? blocksOf(value.sections, field, target) : [];
  if (inner.length === 1) return inner[0]!;
  throw new Unfit(`there is no block type "${type}".`);
}

/** Markup characters of Markdown: words of HTML without any are stored without their tags. */
const MARKED = /[*_`#<>&[\]\\|~$]|^ {0,3}(?:[-+=]|\d{1,9}[.)])/m;

function wordsIn(kind: KindName, { text, isHtml, plain }: ImportedWords): string {
  const isPlain = kind === "text" ? isHtml && plain !== undefined && !MARKED.test(plain) : kind !== "html";
  return isPlain ? (plain ?? "") : text.trim();
}

function plainIn(kind: KindName, plain: string): Json | undefined {
  if (kind === "number" || kind === "integer") return plain.trim() === "" ? undefined : Number(plain);
  if (kind === "boolean") return plain === "true" ? true : plain === "false" ? false : undefined;
  return NOT_PLAIN.includes(kind) ? undefined : plain;
}

const NOT_PLAIN: readonly KindName[] = [
  "media",
  "ref",
  "queryset",
  "group",
  "list",
  "permalink",
  "blocks",
  "location",
  "html",
];

function addressIn(kind: KindName, address: string, { lang, isFile }: Target): Json {
  if (kind !== "permalink") return address;
  const source = sourceIn(address);
  const isPage =
    source !== undefined && !isFile(source) && [sourceLink(source), sourceLink(source, { lang })].includes(address);
  return isPage ? { link_type: "RE", url_node: sourceReference(source) } : { link_type: "ST", static: address };
}
