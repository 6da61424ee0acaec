/** What a reader sees of Markdown within a line, as in the description of a picture: words without their marks. */
import MarkdownIt from "markdown-it";

type Token = ReturnType<MarkdownIt["parse"]>[number];

/** The text of inline tokens. HTML tags have none. @param pictures whether the descriptions of pictures belong to it */
export const textOfTokens = (tokens: readonly Token[], pictures: boolean): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === "softbreak" || type === "hardbreak") return " ";
      if (type === "html_inline") return "";
      return type === "image" ? (pictures ? textOfTokens(children ?? [], pictures) : "") : content;
    })
    .join("");

const PARSER = new MarkdownIt({ html: true });
/** In characters. The parser may need seconds for hostile texts; a longer description of a picture is none. */
const LENGTH_MAX = 2000;

/** The text of Markdown without blocks; a long one as it is written. */
export const textOfMarkdown = (markdown: string): string =>
  markdown.length > LENGTH_MAX ? markdown : textOfTokens(PARSER.parseInline(markdown, {})[0]?.children ?? [], true);
