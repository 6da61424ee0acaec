/** The state as it lies in the output. A column is taken apart only when somebody asks for it; one that stays as it was is written as it was read. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BYTE_ORDER, late, packNumbers, packTexts, packWords, unpackBytes, unpackTexts, unpackWords, type PackedNumbers, type PackedTexts, type PackedWords } from "../model/columns.ts";
import { isObject } from "../model/json.ts";
import { LISTS, TEXTS, type Lists, type PageColumns, type QuestionColumns, type State, type Word } from "./state.ts";

export const STATE_FILE = ".cms-manifest.json";
const VERSION = `4 ${BYTE_ORDER}`;

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
export function writeState(out: string, state: State): void {
  const partial = join(out, `${STATE_FILE}.part`);
  rmSync(partial, { force: true }); // also a link
  writeFileSync(partial, JSON.stringify({ version: VERSION, ...packState(state) }), { flag: "wx" });
  renameSync(partial, join(out, STATE_FILE));
}

interface PackedLists {
  readonly numbers: PackedNumbers;
  readonly ends: PackedNumbers;
}

type PackedPages = { readonly [Name in (typeof TEXTS)[number]]: PackedTexts } & { readonly id: PackedNumbers; readonly templates: PackedNumbers } & {
  readonly [Name in (typeof LISTS)[number]]: PackedLists;
};

interface PackedQuestions extends Pick<QuestionColumns, "name" | "lang"> {
  readonly args: readonly PackedWords<Word>[];
  readonly digests: PackedTexts;
}

type PackedState = Omit<State, "pages" | "questions" | "looked"> & { readonly pages: PackedPages; readonly questions: readonly PackedQuestions[]; readonly looked: { readonly began: number; readonly alone: PackedNumbers } };

/** What columns were unpacked from; nobody changes one after that. */
const packedAs = new WeakMap<object, unknown>();

const packed = <Column extends object, As>(column: Column, pack: (column: Column) => As): As => (packedAs.get(column) as As | undefined) ?? pack(column);

function unpacked<Column extends object, As>(from: As, unpack: (from: As) => Column): Column {
  const column = unpack(from);
  packedAs.set(column, from);
  return column;
}

function packState({ pages, questions, looked, ...rest }: State): PackedState {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, packed(pages[name], packTexts)]));
  const lists = Object.fromEntries(LISTS.map((name) => [name, packed(pages[name], packLists)]));
  const columns = { ...texts, id: packed(pages.id, packNumbers), templates: packed(pages.templates, packNumbers), ...lists } as PackedPages;
  const groups = questions.map(({ name, lang, args, digests }) => ({ name, lang, args: args.map((column) => packed(column, packWords)), digests: packed(digests, packTexts) }));
  return { ...rest, pages: columns, questions: groups, looked: { ...looked, alone: packNumbers(looked.alone) } };
}

function unpackState({ pages, questions, looked, ...rest }: PackedState): State {
  const columns = {} as PageColumns;
  for (const name of TEXTS) late(columns, name, () => unpacked(pages[name], unpackTexts));
  for (const name of LISTS) late(columns, name, () => unpacked(pages[name], unpackLists));
  late(columns, "id", () => unpacked(pages.id, (from) => new Float64Array(unpackBytes(from))));
  late(columns, "templates", () => unpacked(pages.templates, (from) => new Int32Array(unpackBytes(from))));
  const groups = questions.map(({ name, lang, args, digests }): QuestionColumns => {
    const group = { name, lang } as QuestionColumns;
    late(group, "args", () => args.map((column) => unpacked(column, unpackWords)));
    late(group, "digests", () => unpacked(digests, unpackTexts));
    return group;
  });
  return { ...rest, pages: columns, questions: groups, looked: { ...looked, alone: new Uint8Array(unpackBytes(looked.alone)) } };
}

const packLists = ({ numbers, ends }: Lists): PackedLists => ({ numbers: packNumbers(numbers), ends: packNumbers(ends) });

const unpackLists = ({ numbers, ends }: PackedLists): Lists => ({ numbers: new Int32Array(unpackBytes(numbers)), ends: new Int32Array(unpackBytes(ends)) });
