/**
 * Columns in JSON: a list for each fact of many records, in one word.
 *
 * A string of half a megabyte is read a good deal faster than twenty thousand short ones, and what nobody asks for is never
 * taken apart. Numbers lie in this machine's order of bytes (`BYTE_ORDER`), which belongs into the version of what has them.
 */
import { endianness } from "node:os";

export const BYTE_ORDER = endianness();

/** Texts in one word, or as they are where one has something in it that stands between them. */
export type PackedTexts = string | readonly string[];

/** The bytes of numbers, in base64. */
export type PackedNumbers = string;

/** Numbers have NaN where null was. */
export type PackedWords<Word> = readonly Word[] | { readonly texts: PackedTexts } | { readonly numbers: PackedNumbers };

/** In hardly any text, and the same in JSON. */
const BETWEEN = "\x7f";

export const packTexts = (list: readonly string[]): PackedTexts => (list.length > 0 && list.every((text) => !text.includes(BETWEEN)) ? list.join(BETWEEN) : list);

export const unpackTexts = (packed: PackedTexts): readonly string[] => (typeof packed === "string" ? packed.split(BETWEEN) : packed);

export const packNumbers = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array | Float64Array): PackedNumbers => Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/** What the numbers were an array of is for the caller to know. */
export const unpackBytes = (packed: PackedNumbers): ArrayBuffer => new Uint8Array(Buffer.from(packed, "base64")).buffer;

export function packWords<Word extends string | number | null>(list: readonly Word[]): PackedWords<Word> {
  if (list.every((word) => typeof word === "string")) return { texts: packTexts(list) };
  if (!list.every((word) => word === null || Number.isFinite(word))) return list;
  return { numbers: packNumbers(Float64Array.from(list as readonly (number | null)[], (word) => word ?? NaN)) };
}

export function unpackWords<Word extends string | number | null>(packed: PackedWords<Word>): readonly Word[] {
  if ("texts" in packed) return unpackTexts(packed.texts) as readonly Word[];
  if (!("numbers" in packed)) return packed;
  return Array.from(new Float64Array(unpackBytes(packed.numbers)), (number) => (Number.isNaN(number) ? null : number)) as readonly (number | null)[] as readonly Word[];
}

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
