/**
 * Columnar encoding of many records in JSON: each column is one string.
 *
 * `JSON.parse` reads one string of half a megabyte much faster than twenty thousand short ones, and a column that is
 * not used is never decoded. Numbers are in this machine's byte order: a file that contains them must have `BYTE_ORDER`
 * in its version, or another machine misreads it.
 */
export const BYTE_ORDER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "LE" : "BE";

/** Texts joined by the separator, or the list itself when a text contains the separator. */
export type PackedTexts = string | readonly string[];

/** The bytes of a typed array, in base64. */
export type PackedNumbers = string;

/** Texts, or 32-bit integers where the smallest stands for null; any other list is kept as it is. */
export type PackedWords<Word> = { readonly texts: PackedTexts } | { readonly ints: PackedNumbers } | readonly Word[];

/** A character that is rare in text and that JSON does not escape. */
const SEPARATOR = "\x7f";

export const packTexts = (list: readonly string[]): PackedTexts =>
  list.length > 0 && list.every((text) => !text.includes(SEPARATOR)) ? list.join(SEPARATOR) : list;

export const unpackTexts = (packed: PackedTexts): readonly string[] =>
  typeof packed === "string" ? packed.split(SEPARATOR) : packed;

export const packNumbers = ({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array | Int32Array | Float64Array): PackedNumbers =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/** The caller chooses the typed array to read the bytes with. */
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

/** How many linear searches of a column are done before an index is built. */
export const SEARCHES_MAX = 16;

/** Defines a property whose value is computed on first access. */
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
