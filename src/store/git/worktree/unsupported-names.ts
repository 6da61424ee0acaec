/** Names of files and folders that are not worked with: told by `cms check`, so that none is passed over in silence. */

// Git refuses them because file systems that fold case, or shorten names, would take them for its own folder.
const RESERVED = /^(?:\.git|git~\d+)[ .]*$/i;
/** What Node puts in the place of bytes that are no UTF-8. */
const REPLACED = "\uFFFD";

/** What is against a name, as a sentence about the file; undefined when nothing is. */
export function nameProblem(name: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  const hasControl = /[\u0000-\u001f\u007f]/.test(name);
  if (hasControl) return "Its name has a line break, a tab or another control character: rename it.";
  if (name.includes("\\")) return "Its name has a backslash, which separates folders on other machines: rename it.";
  if (!RESERVED.test(name)) return undefined;
  return "Its name is one that some file systems take for git's own folder: rename it.";
}

/** Whether a name as Node gives it may not be the file's name at all. */
export const mayBeMisdecoded = (name: string): boolean => name.includes(REPLACED);

export const NOT_UTF_8 = "Its name is not UTF-8: rename it.";
