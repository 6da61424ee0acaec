/**
 * What was seen of many files in one text, a line each. Two such texts of one folder are alike but for what moved there, so
 * that is found without looking at the lines of all the others.
 */
import { firstWhere } from "../model/bisect.ts";
import type { Path } from "./repo.ts";

const BETWEEN = "\t";
/** No name can hold it. */
const END = "\0";

/** @param seen see `Repo`; without tabs */
export const lineOf = (path: Path, seen: string): string => `${seen}${BETWEEN}${path}${END}`;

export function* linesIn(text: string): Generator<[Path, seen: string]> {
  for (let at = 0; at < text.length; ) {
    const middle = text.indexOf(BETWEEN, at);
    const end = text.indexOf(END, middle);
    yield [text.slice(middle + 1, end), text.slice(at, middle)];
    at = end + 1;
  }
}

/** In the order in which folders are walked, file by file, each folder's names sorted. */
export const inWalkingOrder = (paths: Iterable<Path>): Path[] =>
  Array.from(paths, (path) => [path.replaceAll("/", END), path] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, path]) => path);

/** The files that are not the same in two texts, in UTF-8: of each what is seen now, undefined of those that are gone. */
export function differencesIn(then: Buffer, now: Buffer): Map<Path, string | undefined> {
  const shorter = Math.min(then.length, now.length);
  const start = afterLine(then, common(shorter, (length) => then.compare(now, 0, length, 0, length) === 0));
  const alike = common(shorter - start, (length) => then.compare(now, now.length - length, now.length, then.length - length) === 0);
  // Of the first line of what is alike nobody knows whether it is so from its beginning on.
  const end = alike - (then.indexOf(END, then.length - alike) + 1 - (then.length - alike));
  const lines = (text: Buffer): Map<Path, string> => new Map(linesIn(text.toString("utf8", start, text.length - (alike === 0 ? 0 : end))));
  const [old, found] = [lines(then), lines(now)];
  const differences = new Map<Path, string | undefined>();
  for (const [path, seen] of found) if (old.get(path) !== seen) differences.set(path, seen);
  for (const path of old.keys()) if (!found.has(path)) differences.set(path, undefined);
  return differences;
}

/** The greatest length up to a bound for which a test holds that holds for all shorter ones. */
const common = (bound: number, holds: (length: number) => boolean): number => firstWhere(bound, (length) => !holds(length + 1));

/** Where the last line that is whole ends, before a place. */
const afterLine = (bytes: Buffer, place: number): number => (place === 0 ? 0 : bytes.lastIndexOf(END, place - 1) + 1);
