/**
 * What is wrong with content that loads: one record does not fit another. Each such thing is a row of `CHECKS`.
 *
 * None of it stops the service, and finding it means looking at everything, so only `cms check` asks.
 */
import type { JsonObject } from "../../model/json.ts";
import type { Locales } from "../../model/locale.ts";
import type { Problem } from "../../model/problem.ts";
import type { Check } from "./finding.ts";
import { mediaAddressFindings } from "./media-addresses.ts";
import { metaFindings } from "./meta.ts";
import { linkFindings } from "./links.ts";
import { pageFindings } from "./pages.ts";
import { derivedIdWarning, lacksId } from "./identity.ts";
import { templateFindings, type HasTemplate } from "./templates.ts";
import { unknownKeys } from "./unknown.ts";
import { decodeFile, locate } from "../codec/codec.ts";
import { FileError } from "../codec/file-error.ts";
import { mainPart, type Reader } from "../content/record-type.ts";
import type { Path } from "../repo.ts";
import type { Store } from "../write/store.ts";

const CHECKS: readonly Check[] = [pageFindings, linkFindings, metaFindings];

/** What lies outside the content, and records refer to. A check whose part is missing is left out. */
export interface Surroundings {
  /** The setting `MEDIA.URL`. */
  readonly mediaUrl?: string;
  /** Whether there is a template of a name. */
  readonly hasTemplate?: HasTemplate;
}

const checksWith = ({ mediaUrl, hasTemplate }: Surroundings): readonly Check[] => [
  ...CHECKS,
  ...(hasTemplate ? [templateFindings(hasTemplate)] : []),
  ...(mediaUrl === undefined ? [] : [(content: Reader) => mediaAddressFindings(content, mediaUrl)]),
];

/** What does not load, and what the checks find. A file that breaks while it is looked at is found by the next look. */
export async function allProblems(store: Store, locales: Locales, surroundings: Surroundings = {}): Promise<Problem[]> {
  return [...store.current.problems, ...(await contentProblems(store, locales, surroundings))];
}

/** Everything the checks find, with its place in the files as they lie on disk. */
export async function contentProblems(
  store: Store,
  locales: Locales,
  surroundings: Surroundings = {},
): Promise<Problem[]> {
  const texts = new Map<string, string>();
  const problems: Problem[] = [];
  const findings = checksWith(surroundings).flatMap((check) => [...check(store.current, locales)]);
  for (const { kind, id, path, message, severity } of findings) {
    const file = store.current.pathsOf(kind, id)[0] ?? kind.dir;
    if (!texts.has(file)) texts.set(file, new TextDecoder().decode((await store.repo.read(file))?.bytes));
    // A key that is missing has no place; what should hold it has one.
    const place = path.map((_, at) => locate(texts.get(file)!, path.slice(0, path.length - at))).find(Boolean);
    problems.push({
      path: file,
      ...place,
      message: path.length > 0 ? `${path.join(".")}: ${message}` : message,
      ...(severity && { severity }),
    });
  }
  return [...problems, ...clashingNames(store), ...(await fileProblems(store, locales))];
}

/** Files whose names differ by case or Unicode form alone: a clone on macOS or Windows has one of the two. */
function clashingNames({ kinds, current }: Store): Problem[] {
  const entries = kinds.flatMap((kind) => [...current.table(kind).byBase.values()]);
  const paths = new Set(entries.flatMap(({ base, files }) => [...files.keys()].map((part) => base + part)));
  const byName = new Map<string, string>();
  return [...paths].sort().flatMap((path): Problem[] => {
    const name = path.normalize("NFC").toLowerCase();
    const other = byName.get(name);
    if (other === undefined) {
      byName.set(name, path);
      return [];
    }
    const difference = `Its name differs from that of ${other} by case or Unicode form alone`;
    return [{ path, message: `${difference}, and some machines can hold only one of the two: rename it.` }];
  });
}

/** What the main files themselves say: keys that no field has, and an `id` that is left out. */
async function fileProblems(store: Store, locales: Locales): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const kind of store.kinds) {
    if (kind.opaque || kind.decode) continue;
    for (const { base, files, broken } of store.current.table(kind).byBase.values()) {
      const main = broken ? undefined : mainPart(files.keys());
      if (main === undefined) continue;
      const file = await store.repo.read(base + main);
      if (!file) continue;
      const text = new TextDecoder().decode(file.bytes);
      const data = dataOf(base + main, file.bytes);
      if (!data) continue;
      if (lacksId(kind, main, data))
        problems.push({ path: base + main, severity: "warning", message: derivedIdWarning(base) });
      for (const { path, message } of unknownKeys(kind, files.keys(), data, locales)) {
        problems.push({ path: base + main, ...locate(text, path), message: `${path.join(".")}: ${message}` });
      }
    }
  }
  return problems;
}

/** undefined for a file that was broken after it was loaded. */
function dataOf(path: Path, bytes: Uint8Array): JsonObject | undefined {
  try {
    return decodeFile(path, bytes).data;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
