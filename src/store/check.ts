/**
 * What is wrong with content that loads: one record does not fit another. Each such thing is a row of `CHECKS`.
 *
 * None of it stops the service, and finding it means looking at everything, so only `cms check` asks.
 */
import type { JsonObject } from "../model/json.ts";
import type { Locales } from "../model/locale.ts";
import type { Problem } from "../model/problem.ts";
import type { Check } from "./checks/finding.ts";
import { metaFindings } from "./checks/meta.ts";
import { linkFindings } from "./checks/links.ts";
import { pageFindings } from "./checks/pages.ts";
import { unknownKeys } from "./checks/unknown.ts";
import { decodeFile, locate } from "./codec.ts";
import { FileError } from "./codec/file-error.ts";
import { mainPart } from "./kind.ts";
import type { Path } from "./repo.ts";
import type { Store } from "./store.ts";

const CHECKS: readonly Check[] = [pageFindings, linkFindings, metaFindings];

/** What does not load, and what the checks find. A file that breaks while it is looked at is found by the next look. */
export async function allProblems(store: Store, locales: Locales): Promise<Problem[]> {
  return [...store.current.problems, ...(await contentProblems(store, locales))];
}

/** Everything the checks find, with its place in the files as they lie on disk. */
export async function contentProblems(store: Store, locales: Locales): Promise<Problem[]> {
  const texts = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { kind, id, path, message } of CHECKS.flatMap((check) => [...check(store.current, locales)])) {
    const file = store.current.pathsOf(kind, id)[0] ?? kind.dir;
    if (!texts.has(file)) texts.set(file, new TextDecoder().decode((await store.repo.read(file))?.bytes));
    // A key that is missing has no place; what should hold it has one.
    const place = path.map((_, at) => locate(texts.get(file)!, path.slice(0, path.length - at))).find(Boolean);
    problems.push({ path: file, ...place, message: path.length > 0 ? `${path.join(".")}: ${message}` : message });
  }
  return [...problems, ...(await unknownKeyProblems(store, locales))];
}

async function unknownKeyProblems(store: Store, locales: Locales): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const kind of store.kinds) {
    if (kind.opaque || kind.decode) continue;
    for (const { base, files, broken } of store.current.table(kind).byBase.values()) {
      const main = mainPart(files.keys());
      const file = broken || main === undefined ? undefined : await store.repo.read(base + main);
      if (!file) continue;
      const text = new TextDecoder().decode(file.bytes);
      for (const { path, message } of unknownKeys(kind, files.keys(), dataOf(base + main, file.bytes), locales)) {
        problems.push({ path: base + main, ...locate(text, path), message: `${path.join(".")}: ${message}` });
      }
    }
  }
  return problems;
}

/** Nothing for a file that was broken after it was loaded. */
function dataOf(path: Path, bytes: Uint8Array): JsonObject {
  try {
    return decodeFile(path, bytes).data;
  } catch (error) {
    if (error instanceof FileError) return {};
    throw error;
  }
}
