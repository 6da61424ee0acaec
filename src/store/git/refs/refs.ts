/**
 * HEAD, branches and reflogs.
 *
 * A malformed loose ref is an error. Taking it for a branch without a commit would begin a second history, and using the
 * packed ref instead would go back in history.
 */
import { CmsError } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import { codeOf, isMissing, makeDirs, parentOf, unlessMissing, type Fs } from "../fs.ts";

/** The target of HEAD: the full name of a branch (`refs/heads/main`), or a commit if it is detached. */
export type Head = { readonly ref: string; readonly commit?: undefined } | { readonly ref: null; readonly commit: Oid };

const OID = /^[0-9a-f]{40}$/;

export const isOid = (text: string): boolean => OID.test(text);

/** `main` for `refs/heads/main`. */
export const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, "");

/** @throws CmsError `setup` if HEAD is neither a branch nor a commit */
export async function readHead(fs: Fs, gitDir: string): Promise<Head> {
  const text = (await unlessMissing(fs.readFile(`${gitDir}/HEAD`)))?.toString("utf8").trimEnd() ?? "";
  if (isOid(text)) return { ref: null, commit: text };
  const ref = /^ref:\s*(refs\/heads\/\S+)$/.exec(text)?.[1];
  if (!ref || ref.split("/").includes("..")) {
    throw new CmsError("setup", ".git/HEAD names no branch: set it with `git symbolic-ref HEAD refs/heads/<branch>`.");
  }
  return { ref, commit: undefined };
}

/**
 * The commit of a branch; null if there is no such branch.
 *
 * @throws CmsError `unavailable` if the ref does not contain a commit id
 */
export async function readRef(fs: Fs, gitDir: string, ref: string): Promise<Oid | null> {
  const loose = await readLooseRef(fs, gitDir, ref);
  if (loose !== undefined) return loose;
  const packed = await readPackedRef(fs, gitDir, ref);
  // Between the two reads the ref may have become loose.
  return packed ?? (await readLooseRef(fs, gitDir, ref)) ?? null;
}

async function readLooseRef(fs: Fs, gitDir: string, ref: string): Promise<Oid | undefined> {
  let text: string | undefined;
  try {
    text = (await unlessMissing(fs.readFile(`${gitDir}/${ref}`)))?.toString("latin1").trimEnd();
  } catch (error) {
    // A branch `name/below` may have left an empty folder with the name of this branch.
    if (codeOf(error) !== "EISDIR") throw error;
  }
  if (text === undefined || isOid(text)) return text;
  throw new CmsError(
    "unavailable",
    `.git/${ref} holds no commit id: see \`git reflog ${branchOf(ref)}\` for the last one and restore it ` +
      `with \`git update-ref ${ref} <id>\`.`,
  );
}

/** @throws CmsError `unavailable` if its line has no commit id */
export async function readPackedRef(fs: Fs, gitDir: string, ref: string): Promise<Oid | undefined> {
  const packed = (await unlessMissing(fs.readFile(`${gitDir}/packed-refs`)))?.toString("utf8") ?? "";
  const at = packed.indexOf(` ${ref}\n`);
  if (at < 0) return undefined;
  const oid = packed.slice(packed.lastIndexOf("\n", at) + 1, at);
  if (isOid(oid)) return oid;
  throw new CmsError("unavailable", `.git/packed-refs holds no commit id for ${ref}: restore it by hand.`);
}

/** Whether the repository has any branch or tag. */
export async function hasAnyRef(fs: Fs, gitDir: string): Promise<boolean> {
  if (/^[0-9a-f]{40} /m.test((await unlessMissing(fs.readFile(`${gitDir}/packed-refs`)))?.toString("latin1") ?? "")) {
    return true;
  }
  return hasFileBelow(fs, `${gitDir}/refs`);
}

/** The objects of all refs below some folders of `.git`, such as `refs/heads`, by full name, without those that cannot be read. */
export async function refsBelow(fs: Fs, gitDir: string, folders: readonly string[]): Promise<Map<string, Oid>> {
  const found = new Map<string, Oid>();
  const packed = (await unlessMissing(fs.readFile(`${gitDir}/packed-refs`)))?.toString("utf8") ?? "";
  for (const line of packed.split("\n")) {
    const [oid = "", ref = ""] = line.split(" ");
    if (isOid(oid) && folders.some((folder) => ref.startsWith(`${folder}/`))) found.set(ref, oid);
  }
  const collect = async (dir: string): Promise<void> => {
    for (const entry of (await unlessMissing(fs.readdir(`${gitDir}/${dir}`))) ?? []) {
      const ref = `${dir}/${entry.name}`;
      if (entry.isDirectory()) await collect(ref);
      else if (!ref.endsWith(".lock")) {
        const text = await refText(fs, `${gitDir}/${ref}`);
        if (text !== undefined && isOid(text)) found.set(ref, text);
      }
    }
  };
  for (const folder of folders) await collect(folder);
  return found;
}

/** undefined for no file, for a folder, and for a symbolic link to one, or to itself: it names no commit. */
export async function refText(fs: Fs, file: string): Promise<string | undefined> {
  try {
    return (await unlessMissing(fs.readFile(file)))?.toString("latin1").trimEnd();
  } catch (error) {
    if (!["EISDIR", "ELOOP"].includes(codeOf(error) ?? "")) throw error;
    return undefined;
  }
}

async function hasFileBelow(fs: Fs, dir: string): Promise<boolean> {
  for (const entry of (await unlessMissing(fs.readdir(dir))) ?? []) {
    if (entry.name.endsWith(".lock")) continue;
    if (!entry.isDirectory() || (await hasFileBelow(fs, `${dir}/${entry.name}`))) return true;
  }
  return false;
}

/**
 * Adds a line to the reflogs of HEAD and of the branch, with which a person can undo the commit.
 *
 * `entry` is the part after the two ids: signature line, tab, message.
 */
export async function appendReflogs(
  fs: Fs,
  gitDir: string,
  ref: string,
  { old, now, entry }: { readonly old: Oid | null; readonly now: Oid; readonly entry: string },
): Promise<void> {
  const line = `${old ?? "0".repeat(40)} ${now} ${entry.replaceAll("\n", " ")}\n`;
  for (const log of [`${gitDir}/logs/${ref}`, `${gitDir}/logs/HEAD`]) {
    try {
      await fs.append(log, line);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makeDirs(fs, parentOf(log), 0o777);
      await fs.append(log, line);
    }
  }
}
