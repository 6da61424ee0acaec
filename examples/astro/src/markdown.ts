import MarkdownIt from "markdown-it";

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();

export const markdown = (text = ""): string => parser.render(text);
