/**
 * What is wrong with content that loads: one record does not fit another. Each such thing is a row of `CHECKS`.
 *
 * None of it stops the service, and finding it means looking at everything, so only `cms check` asks.
 */
import type { Locales } from "../model/locale.ts";
import type { Problem } from "../model/problem.ts";
import type { Check } from "./checks/finding.ts";
import { metaFindings } from "./checks/meta.ts";
import { linkFindings } from "./checks/links.ts";
import { pageFindings } from "./checks/pages.ts";
import { derivedIdWarning, lacksId } from "./checks/identity.ts";
import { unknownKeys } from "./checks/unknown.ts";
import { decodeFile, locate } from "./codec.ts";
import { mainPart } from "./kind.ts";
import type { Store } from "./store.ts";

const CHECKS: readonly Check[] = [pageFindings, linkFindings, metaFindings];

/** Everything the checks find, with its place in the files as they lie on disk. */
export async function contentProblems(store: Store, locales: Locales): Promise<Problem[]> {
  const texts = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { kind, id, path, message, severity } of CHECKS.flatMap((check) => [...check(store.current, locales)])) {
    const file = store.current.pathsOf(kind, id)[0] ?? kind.dir;
    if (!texts.has(file)) texts.set(file, new TextDecoder().decode((await store.repo.read(file))?.bytes));
    // A key that is missing has no place; what should hold it has one.
    const place = path.map((_, at) => locate(texts.get(file)!, path.slice(0, path.length - at))).find(Boolean);
    problems.push({ path: file, ...place, message: path.length > 0 ? `${path.join(".")}: ${message}` : message, ...(severity && { severity }) });
  }
  return [...problems, ...(await fileProblems(store, locales))];
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
      const { data } = decodeFile(base + main, file.bytes);
      if (lacksId(kind, main, data)) problems.push({ path: base + main, severity: "warning", message: derivedIdWarning(base) });
      for (const { path, message } of unknownKeys(kind, files.keys(), data, locales)) {
        problems.push({ path: base + main, ...locate(text, path), message: `${path.join(".")}: ${message}` });
      }
    }
  }
  return problems;
}
