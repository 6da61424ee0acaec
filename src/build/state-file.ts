/**
 * The state as it lies in the output: JSON, with each column in one word.
 *
 * A string of half a megabyte is read a good deal faster than twenty thousand short ones, and a column is taken apart only
 * when somebody asks for it; one that stays as it was is written as it was read.
 */
import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { isObject } from "../model/json.ts";
import { LISTS, TEXTS, type Lists, type PageColumns, type QuestionColumns, type State, type Word } from "./state.ts";

export const STATE_FILE = ".cms-manifest.json";
/** Numbers lie there in this machine's order of bytes. */
const VERSION = `4 ${endianness()}`;

/** @returns undefined when the folder holds no state, or none of this version that can be read */
export function readState(out: string): State | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(out, STATE_FILE)).toString());
    if (!isObject(stored)) return undefined;
    const { version, ...state } = stored;
    // We wrote it ourselves, whole or not at all; the version says how.
    return version === VERSION ? unpackState(state as unknown as PackedState) : undefined;
  } catch {
    return undefined; // absent or damaged: the same as never built
  }
}

/** All of it or nothing. */
export async function writeState(out: string, state: State): Promise<void> {
  const partial = join(out, `${STATE_FILE}.part`);
  await rm(partial, { force: true }); // also a link
  await writeFile(partial, JSON.stringify({ version: VERSION, ...packState(state) }), { flag: "wx" });
  await rename(partial, join(out, STATE_FILE));
}

/** Texts in one word, or as they are where one has something in it that stands between them. */
type PackedTexts = string | readonly string[];

/** The bytes of numbers, in base64. */
type PackedNumbers = string;

interface PackedLists {
  readonly numbers: PackedNumbers;
  readonly ends: PackedNumbers;
}

/** Numbers have NaN where null was. */
type PackedWords = readonly Word[] | { readonly texts: PackedTexts } | { readonly numbers: PackedNumbers };

type PackedPages = { readonly [Name in (typeof TEXTS)[number]]: PackedTexts } & { readonly id: PackedNumbers; readonly templates: PackedNumbers } & {
  readonly [Name in (typeof LISTS)[number]]: PackedLists;
};

interface PackedQuestions extends Pick<QuestionColumns, "name" | "lang"> {
  readonly args: readonly PackedWords[];
  readonly digests: PackedTexts;
}

type PackedState = Omit<State, "pages" | "questions"> & { readonly pages: PackedPages; readonly questions: readonly PackedQuestions[] };

/** What columns were unpacked from; nobody changes one after that. */
const packedAs = new WeakMap<object, unknown>();

const packed = <Column extends object, As>(column: Column, pack: (column: Column) => As): As => (packedAs.get(column) as As | undefined) ?? pack(column);

function unpacked<Column extends object, As>(from: As, unpack: (from: As) => Column): Column {
  const column = unpack(from);
  packedAs.set(column, from);
  return column;
}

function packState({ pages, questions, ...rest }: State): PackedState {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, packed(pages[name], packTexts)]));
  const lists = Object.fromEntries(LISTS.map((name) => [name, packed(pages[name], packLists)]));
  const columns = { ...texts, id: packed(pages.id, packNumbers), templates: packed(pages.templates, packNumbers), ...lists } as PackedPages;
  const groups = questions.map(({ name, lang, args, digests }) => ({ name, lang, args: args.map((column) => packed(column, packWords)), digests: packed(digests, packTexts) }));
  return { ...rest, pages: columns, questions: groups };
}

function unpackState({ pages, questions, ...rest }: PackedState): State {
  const columns = {} as PageColumns;
  for (const name of TEXTS) late(columns, name, () => unpacked(pages[name], unpackTexts));
  for (const name of LISTS) late(columns, name, () => unpacked(pages[name], unpackLists));
  late(columns, "id", () => unpacked(pages.id, (from) => new Float64Array(bytesOf(from))));
  late(columns, "templates", () => unpacked(pages.templates, (from) => new Int32Array(bytesOf(from))));
  const groups = questions.map(({ name, lang, args, digests }): QuestionColumns => {
    const group = { name, lang } as QuestionColumns;
    late(group, "args", () => args.map((column) => unpacked(column, unpackWords)));
    late(group, "digests", () => unpacked(digests, unpackTexts));
    return group;
  });
  return { ...rest, pages: columns, questions: groups };
}

/** A property that is made when it is first asked for. */
function late<Of extends object, Name extends keyof Of>(of: Of, name: Name, make: () => Of[Name]): void {
  Object.defineProperty(of, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(of, name, { value, enumerable: true });
      return value;
    },
  });
}

/** In hardly any text, and the same in JSON. */
const BETWEEN = "\x7f";

const packTexts = (list: readonly string[]): PackedTexts => (list.length > 0 && list.every((text) => !text.includes(BETWEEN)) ? list.join(BETWEEN) : list);

const unpackTexts = (from: PackedTexts): readonly string[] => (typeof from === "string" ? from.split(BETWEEN) : from);

const packNumbers = ({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): PackedNumbers => Buffer.from(buffer, byteOffset, byteLength).toString("base64");

const bytesOf = (from: PackedNumbers): ArrayBuffer => new Uint8Array(Buffer.from(from, "base64")).buffer;

const packLists = ({ numbers, ends }: Lists): PackedLists => ({ numbers: packNumbers(numbers), ends: packNumbers(ends) });

const unpackLists = ({ numbers, ends }: PackedLists): Lists => ({ numbers: new Int32Array(bytesOf(numbers)), ends: new Int32Array(bytesOf(ends)) });

function packWords(column: readonly Word[]): PackedWords {
  if (column.every((word) => typeof word === "string")) return { texts: packTexts(column) };
  if (!column.every((word) => word === null || Number.isFinite(word))) return column;
  return { numbers: packNumbers(Float64Array.from(column as (number | null)[], (word) => word ?? NaN)) };
}

function unpackWords(from: PackedWords): readonly Word[] {
  if ("texts" in from) return unpackTexts(from.texts);
  if (!("numbers" in from)) return from;
  return Array.from(new Float64Array(bytesOf(from.numbers)), (number) => (Number.isNaN(number) ? null : number));
}
