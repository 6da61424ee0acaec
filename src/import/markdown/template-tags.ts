/** Tags of Liquid and Nunjucks in a text that say that some of it is not shown. They count in code, too, unless it is raw. */
import { linesIn } from "./front-matter.ts";
import { proseOf } from "./prose.ts";

/** The language of templates that a generator runs over Markdown. */
export type TemplateLanguage = "liquid" | "njk";

export interface ShownText {
  /** Without comments, in as many lines. */
  readonly text: string;
  /** 0-based lines at which a comment begins. */
  readonly comments: readonly number[];
  /** The 0-based line of the first condition, and its tag. */
  readonly condition: { readonly line: number; readonly tag: string } | undefined;
}

const TAGS =
  /\{%-?\s{0,9}(raw|endraw|verbatim|endverbatim|comment|endcomment|if|ifAsync|unless|case|switch)\b[^%{}]*%\}|\{#|#\}|\{::comment\}|\{:\/(?:comment)?\}/g;

const ENDS: Readonly<Record<string, string>> = { raw: "endraw", verbatim: "endverbatim", comment: "endcomment" };

export function shownText(text: string, language: TemplateLanguage): ShownText {
  const comments: number[] = [];
  let condition: ShownText["condition"];
  if (!text.includes("{")) return { text, comments, condition };
  const prose = proseOf(text);
  const parts: string[] = [];
  let [done, line, counted, passed] = [0, 0, 0, 0];
  const isProse = (at: number): boolean => {
    while (passed < prose.length && prose[passed]![1] <= at) passed++;
    return passed < prose.length && prose[passed]![0] <= at;
  };
  let open: { readonly end: string; readonly at: number } | undefined;
  for (const { 0: tag, 1: name = tag, index } of text.matchAll(TAGS)) {
    if (open) {
      if (name !== open.end && !(open.end === "{:/comment}" && name === "{:/}")) continue;
      if (open.end === "endraw" || open.end === "endverbatim") {
        open = undefined;
        continue;
      }
      const end = index + tag.length;
      line += linesIn(text, counted, open.at);
      counted = open.at;
      comments.push(line);
      parts.push(text.slice(done, open.at), "\n".repeat(linesIn(text, open.at, end)));
      done = end;
      open = undefined;
    } else if (name === "{#") {
      if (language === "njk") open = { end: "#}", at: index };
    } else if (name === "{::comment}") {
      if (language === "liquid" && isProse(index)) open = { end: "{:/comment}", at: index };
    } else if (ENDS[name] !== undefined) open = { end: ENDS[name], at: index };
    else if (!/^(?:end|\{|#)/.test(name)) condition ??= { line: linesIn(text, 0, index), tag };
  }
  return { text: done === 0 ? text : parts.join("") + text.slice(done), comments, condition };
}
