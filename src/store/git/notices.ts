/** Facts about how the service works in this repository that its owner should know, though nothing is wrong. */
import type { Path } from "../repo.ts";
import type { Attributes } from "./attributes/attributes.ts";
import { readConfig, userConfigFiles } from "./config.ts";
import type { Fs } from "./fs.ts";

/** Paths named for one attribute. */
const NAMED_MAX = 3;
const NOT_SIGNED =
  "commit.gpgsign is set, but commits of the service are not signed: their committer is git-cms " +
  "(docs/reliability.md, Signatures).";

const NO_LFS =
  "Files of this site are in Git LFS, which is not set up for this clone: `git lfs install --local` makes `git` itself " +
  "take them for what they are, and push them.";

/** @param paths the working files. @returns a sentence for each */
export async function noticesFor(
  fs: Fs,
  gitDir: string,
  attributes: Attributes,
  paths: Iterable<Path>,
): Promise<string[]> {
  const config = await readConfig(fs, gitDir, userConfigFiles());
  const listed = [...paths];
  const isLfsMissing = config.get("filter.lfs.clean") === undefined && listed.some((path) => attributes.of(path).isLfs);
  return [
    ...unsupportedAttributes(attributes, listed),
    ...(isLfsMissing ? [NO_LFS] : []),
    ...(config.isTrue("commit.gpgSign") ? [NOT_SIGNED] : []),
  ];
}

function unsupportedAttributes(attributes: Attributes, paths: Iterable<Path>): string[] {
  const found = new Map<string, Path[]>();
  for (const path of paths) {
    const { unsupported } = attributes.of(path);
    if (unsupported === undefined) continue;
    const files = found.get(unsupported);
    if (files) files.push(path);
    else found.set(unsupported, [path]);
  }
  return [...found].map(([attribute, files]) => {
    const more = files.length > NAMED_MAX ? ` and ${files.length - NAMED_MAX} more` : "";
    const named = files.slice(0, NAMED_MAX).join(", ") + more;
    return `The git attribute ${attribute} applies to ${named}: served as in the working tree, and not written by the service.`;
  });
}
