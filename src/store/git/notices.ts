/** What a repository's owner should know of how the service works in it, though nothing is wrong. */
import type { Path } from "../repo.ts";
import type { Attributes } from "./attributes/attributes.ts";
import { readConfig, userConfigFiles } from "./layout.ts";
import type { Fs } from "./fs.ts";

/** So many paths of one attribute are named. */
const NAMED = 3;
const NOT_SIGNED =
  "commit.gpgsign is set, but commits of the service are not signed: their committer is git-cms " +
  "(docs/reliability.md, Signatures).";

/** @param paths the working files. @returns a sentence each */
export async function noticesFor(
  fs: Fs,
  gitDir: string,
  attributes: Attributes,
  paths: Iterable<Path>,
): Promise<string[]> {
  const config = await readConfig(fs, gitDir, userConfigFiles());
  return [...foreignNotes(attributes, paths), ...(config.isTrue("commit.gpgSign") ? [NOT_SIGNED] : [])];
}

function foreignNotes(attributes: Attributes, paths: Iterable<Path>): string[] {
  const found = new Map<string, Path[]>();
  for (const path of paths) {
    const { foreign } = attributes.of(path);
    if (foreign === undefined) continue;
    const files = found.get(foreign);
    if (files) files.push(path);
    else found.set(foreign, [path]);
  }
  return [...found].map(([attribute, files]) => {
    const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : "";
    const named = files.slice(0, NAMED).join(", ") + more;
    return `The git attribute ${attribute} holds for ${named}: served as they lie here, and not written by the service.`;
  });
}
