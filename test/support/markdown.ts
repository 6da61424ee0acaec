/** What tests look at in Markdown texts: links, anchors of headings, code blocks. */

const FENCE = /^ *```(\w*)\n([^]*?)^ *```$/gm;

export interface CodeBlock {
  /** "" without one. */
  readonly language: string;
  readonly code: string;
}

export const codeBlocksOf = (text: string): readonly CodeBlock[] =>
  [...text.matchAll(FENCE)].map(([, language = "", code = ""]) => ({ language, code }));

const withoutCode = (text: string): string => text.replace(FENCE, "").replace(/`[^`\n]*`/g, "`");

/** Targets of links outside of code. */
export const linksOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** The anchors of all headings, as forges make them. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.replace(FENCE, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
