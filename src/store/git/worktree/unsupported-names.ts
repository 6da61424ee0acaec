/** Names of files and folders that are not supported. `cms check` reports them, so that none is skipped silently. */

// Git refuses them, because file systems that fold case or shorten names would take them for its own folder.
const RESERVED = /^(?:\.git|git~\d+)[ .]*$/i;
/** A name without any of these problems, as nearly every one is. */
const PLAIN = /^\w[\w.-]*$/;
/** Node replaces bytes that are not UTF-8 by this. */
const REPLACEMENT_CHARACTER = "\uFFFD";

/** Why a name is not supported, as sentences about the file; undefined for a supported one. */
export function nameProblem(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  // oxlint-disable-next-line no-control-regex
  const hasControl = /[\u0000-\u001f\u007f]/.test(name);
  if (hasControl) return "Its name has a line break, a tab or another control character: rename it.";
  if (name.includes("\\")) return "Its name has a backslash, which separates folders on other machines: rename it.";
  if (!RESERVED.test(name)) return undefined;
  return "Its name is one that some file systems take for git's own folder: rename it.";
}

/** Whether Node may have returned another name than the file has. */
export const mayBeMisdecoded = (name: string): boolean => name.includes(REPLACEMENT_CHARACTER);

export const NOT_UTF_8 = "Its name is not UTF-8: rename it.";
