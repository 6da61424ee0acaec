/**
 * What an import cannot place in the site, kept beside it: `content/imports/<name>.kept.jsonl`, one line of JSON each.
 *
 * Only people read it. A row stays until its record is written whole, or is no longer in the source.
 */
import { isObject, own, type Json } from "../../model/input/json.ts";
import { CONTENT } from "../../store/records/record-type.ts";
import type { Path } from "../../store/repo.ts";
import type { SourceId } from "../imported-site.ts";

export interface KeptValue {
  readonly source: SourceId;
  /** Which part of the record: "draft in en". */
  readonly what: string;
  readonly value: Json;
}

export const keptPath = (name: string): Path => `${CONTENT}/imports/${name}.kept.jsonl`;

export const writeKept = (rows: readonly KeptValue[]): string =>
  [...rows]
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({ source, what, value }) => `${JSON.stringify({ source, what, value })}\n`)
    .join("");

const sortKey = ({ source, what }: KeptValue): string => `${source}\n${what}`;

/** Lines that are no rows are left out. */
export const readKept = (text: string): KeptValue[] =>
  text.split("\n").flatMap((line): KeptValue[] => {
    const row = line.trim() === "" ? undefined : parsed(line);
    const [source, what, value] = ["source", "what", "value"].map((key) => (isObject(row) ? own(row, key) : undefined));
    return typeof source === "string" && typeof what === "string" && value !== undefined
      ? [{ source, what, value }]
      : [];
  });

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The rows after an import.
 *
 * @param before the rows of former imports
 * @param found those of this one
 * @param isOpen whether a record is in the source, and was not written by this import: its rows are still true
 */
export const keptAfter = (
  before: readonly KeptValue[],
  found: readonly KeptValue[],
  isOpen: (source: SourceId) => boolean,
): KeptValue[] => {
  const known = new Set(found.map(sortKey));
  return [...before.filter((row) => isOpen(row.source) && !known.has(sortKey(row))), ...found];
};
