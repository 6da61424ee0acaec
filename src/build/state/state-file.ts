/** The state as it lies in the output. A column of texts is taken apart only when somebody asks for it; one that stays as it was is written as it was read. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BYTE_ORDER,
  late,
  packNumbers,
  packTexts,
  packWords,
  unpackBytes,
  unpackTexts,
  unpackWords,
  type PackedNumbers,
  type PackedTexts,
  type PackedWords,
} from "../../model/columns.ts";
import { isObject } from "../../model/json.ts";
import { LISTS, TEXTS, type Lists, type PageColumns, type QuestionColumns, type State, type Word } from "./state.ts";

export const STATE_FILE = ".cms-manifest.json";
const VERSION = `6 ${BYTE_ORDER}`;

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

type PackedPages = { readonly [Name in (typeof TEXTS)[number]]: PackedTexts } & {
  readonly id: PackedNumbers;
  readonly templates: PackedNumbers;
} & {
  readonly [Name in (typeof LISTS)[number]]: PackedLists;
};

interface PackedQuestions extends Pick<QuestionColumns, "name" | "lang"> {
  readonly args: readonly PackedWords<Word>[];
  readonly digests: PackedTexts;
}

type PackedState = Omit<State, "pages" | "questions" | "looked"> & {
  readonly pages: PackedPages;
  readonly questions: readonly PackedQuestions[];
  readonly looked: { readonly began: number; readonly alone: PackedNumbers };
};

/** What columns of texts and words were unpacked from; nobody changes one after that. */
const packedAs = new WeakMap<object, unknown>();

const packed = <Column extends object, As>(column: Column, pack: (column: Column) => As): As =>
  (packedAs.get(column) as As | undefined) ?? pack(column);

function unpacked<Column extends object, As>(from: As, unpack: (from: As) => Column): Column {
  const column = unpack(from);
  packedAs.set(column, from);
  return column;
}

function packState({ pages, questions, looked, ...rest }: State): PackedState {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, packed(pages[name], packTexts)]));
  const lists = Object.fromEntries(LISTS.map((name) => [name, packLists(pages[name])]));
  const columns = {
    ...texts,
    id: packNumbers(pages.id),
    templates: packNumbers(pages.templates),
    ...lists,
  } as PackedPages;
  const groups = questions.map(({ name, lang, args, digests }) => ({
    name,
    lang,
    args: args.map((column) => packed(column, packWords)),
    digests: packed(digests, packTexts),
  }));
  return { ...rest, pages: columns, questions: groups, looked: { ...looked, alone: packNumbers(looked.alone) } };
}

/** @throws where numbers are missing */
function unpackState({ pages, questions, looked, ...rest }: PackedState): State {
  const id = new Float64Array(unpackBytes(pages.id));
  const templates = new Int32Array(unpackBytes(pages.templates));
  const [reads, asks, sizes] = LISTS.map((name) => unpackLists(pages[name])) as [Lists, Lists, Lists];
  const isWhole =
    templates.length === id.length &&
    [reads, asks, sizes].every(
      ({ numbers, ends }) => ends.length === id.length && numbers.length === (ends.at(-1) ?? 0),
    );
  if (!isWhole) throw new Error("a column is cut short");
  const columns = { id, templates, reads, asks, sizes } as PageColumns;
  for (const name of TEXTS) late(columns, name, () => unpacked(pages[name], unpackTexts));
  const groups = questions.map(({ name, lang, args, digests }): QuestionColumns => {
    const group = { name, lang } as QuestionColumns;
    late(group, "args", () => args.map((column) => unpacked(column, unpackWords)));
    late(group, "digests", () => unpacked(digests, unpackTexts));
    return group;
  });
  return {
    ...rest,
    pages: columns,
    questions: groups,
    looked: { ...looked, alone: new Float64Array(unpackBytes(looked.alone)) },
  };
}

const packLists = ({ numbers, ends }: Lists): PackedLists => ({
  numbers: packNumbers(numbers),
  ends: packNumbers(ends),
});

const unpackLists = ({ numbers, ends }: PackedLists): Lists => ({
  numbers: new Int32Array(unpackBytes(numbers)),
  ends: new Int32Array(unpackBytes(ends)),
});
