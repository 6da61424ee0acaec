import MarkdownIt from "markdown-it";

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();

export const Markdown = ({ text = "" }: { text?: string }) => (
  <div className="prose" dangerouslySetInnerHTML={{ __html: parser.render(text) }} />
);
