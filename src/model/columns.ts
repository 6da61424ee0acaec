/**
 * Columns in JSON: a list for each fact of many records, in one word.
 *
 * A string of half a megabyte is read a good deal faster than twenty thousand short ones, and what nobody asks for is never
 * taken apart. Numbers lie in this machine's order of bytes (`BYTE_ORDER`), which belongs into the version of what has them.
 */
export const BYTE_ORDER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "LE" : "BE";

/** Texts in one word, or as they are where one has something in it that stands between them. */
export type PackedTexts = string | readonly string[];

/** The bytes of numbers, in base64. */
export type PackedNumbers = string;

/** All texts, or whole numbers of 32 bits, the least of which stands for null; or as they are. */
export type PackedWords<Word> = { readonly texts: PackedTexts } | { readonly ints: PackedNumbers } | readonly Word[];

/** In hardly any text, and the same in JSON. */
const BETWEEN = "\x7f";

export const packTexts = (list: readonly string[]): PackedTexts => (list.length > 0 && list.every((text) => !text.includes(BETWEEN)) ? list.join(BETWEEN) : list);

export const unpackTexts = (packed: PackedTexts): readonly string[] => (typeof packed === "string" ? packed.split(BETWEEN) : packed);

export const packNumbers = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array | Float64Array): PackedNumbers => Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/** What the numbers were an array of is for the caller to know. */
export const unpackBytes = (packed: PackedNumbers): ArrayBuffer => new Uint8Array(Buffer.from(packed, "base64")).buffer;

const NULL = -(2 ** 31);

export function packWords<Word extends string | number | null>(list: readonly Word[]): PackedWords<Word> {
  if (list.every((word) => typeof word === "string")) return { texts: packTexts(list) };
  const ints = new Int32Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const word: string | number | null = list[at]!;
    if (word !== null && (word === NULL || word !== ((word as number) | 0))) return list;
    ints[at] = word ?? NULL;
  }
  return { ints: packNumbers(ints) };
}

export function unpackWords<Word extends string | number | null>(packed: PackedWords<Word>): readonly Word[] {
  if ("texts" in packed) return unpackTexts(packed.texts) as readonly Word[];
  if (!("ints" in packed)) return packed;
  const list: (number | null)[] = [];
  for (const int of new Int32Array(unpackBytes(packed.ints))) list.push(int === NULL ? null : int);
  return list as readonly (number | null)[] as readonly Word[];
}

/** How often a column is looked through before it is worth more preparation. */
export const SEARCHES_MAX = 16;

/** Gives an object a property that is made when it is first asked for. */
export function late<Of extends object, Name extends keyof Of>(of: Of, name: Name, make: () => Of[Name]): void {
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
