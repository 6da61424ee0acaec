/** The rules of `cms check`: a problem names the one that it breaks, by which its level is set and it is ignored. */

export type Severity = "error" | "warning";

export const CHECK_RULES = {
  "invalid-file": "A file of content loads: its syntax, and the values of its fields.",
  "merge-conflict": "No file has the comments or markers of an undecided merge conflict.",
  "stale-lock": "No lock of git is left from a program that has ended.",
  "unknown-key": "Files have only keys that their kind of record has.",
  "missing-id": "Files have an id of their own, so that references to them survive when they move.",
  "plain-markdown": "Markdown files have front matter: without it they are drafts with their first heading as title.",
  "file-name": "Every system can have the names of the files, beside each other.",
  "invalid-data": "Data fits the meta type or page model that declares it.",
  draft: "Drafts can be published.",
  release: "Releases can be published, and change each page once.",
  "missing-reference": "References lead to records that exist.",
  "former-permalink": "References in files name pages by their present permalinks.",
  permalink: "A page is at the permalink that its file gives, alone.",
  list: "Lists with pages can be made, and no page takes an address of one.",
  redirect: "Redirects do not take the place of pages.",
  "missing-template": "The templates that pages and page models name exist.",
  template: "Templates have no mistakes, and name only what exists.",
  render: "Every public page can be rendered, in every language (`--render`).",
  "dead-link": "Links in texts and templates lead to pages, headings and files that visitors find.",
  "moved-media": "Addresses of media in texts are the present ones.",
  "trashed-media": "Nothing shows a file that is in the trash.",
  "static-file": "Files below static/ are published, under names that every host can have.",
  untranslated: "Pages that are published in one language have a title in all.",
  "missing-alt-text": "Pictures are described in every language to those who cannot see them.",
  "unused-media": "Every media file is used by content or a template.",
} as const satisfies Readonly<Record<string, string>>;

export type CheckRule = keyof typeof CHECK_RULES;

export type RuleLevel = Severity | "off";

/** By rule, where a site wants another level than that of the problem; see `isBinding`. */
export type RuleLevels = Readonly<Partial<Record<CheckRule, RuleLevel>>>;

export const RULE_LEVELS: readonly RuleLevel[] = ["off", "warning", "error"];

export const isCheckRule = (name: string): name is CheckRule => Object.hasOwn(CHECK_RULES, name);

/** Whether a rule cannot be ignored or lowered: what the program cannot read is not served, and has to be told. */
export const isBinding = (rule: CheckRule): boolean => BINDING.has(rule);

const BINDING: ReadonlySet<CheckRule> = new Set(["invalid-file", "merge-conflict", "stale-lock"]);

const IGNORE = /cms-ignore: ?([a-z][a-z, -]*)/;

/**
 * The rules that a comment `cms-ignore: dead-link, unknown-key` ignores for a line of a file: the comment is on the line,
 * or on lines of comments right above it. One above the first key of the file ignores them in the whole file.
 *
 * @param lines of the file
 * @param line from 1; undefined for a problem of the whole file
 */
export function ignoredRules(lines: readonly string[], line: number | undefined): ReadonlySet<string> {
  const first = lines.findIndex((text) => !isComment(text) && text.trim() !== "" && text.trim() !== "---");
  const found = lines.slice(0, Math.max(first, 0)).flatMap(rulesIn);
  if (line === undefined) return new Set(found);
  let at = line - 1;
  do found.push(...rulesIn(lines[at] ?? ""));
  while (isComment(lines[--at] ?? ""));
  return new Set(found);
}

const isComment = (text: string): boolean => text.trim().startsWith("#") || text.trim().startsWith("<!--");

const rulesIn = (text: string): string[] =>
  (IGNORE.exec(text)?.[1] ?? "").split(/[, ]/).flatMap((name) => (isCheckRule(name) ? [name] : []));
