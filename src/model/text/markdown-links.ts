/** Links and pictures as Markdown writes them. */

export interface MarkdownPicture {
  readonly address: string;
  /** What it shows, for people who do not see it. */
  readonly alt: string;
  /** Shown below a picture that stands alone; "" without one. */
  readonly caption: string;
}

/** @param text shown as it is: its signs that Markdown reads are escaped */
export const linkMarkdown = (text: string, address: string): string => `[${escaped(text)}](${targetOf(address)})`;

export const pictureMarkdown = ({ address, alt, caption }: MarkdownPicture): string =>
  `![${escaped(alt)}](${targetOf(address)}${caption === "" ? "" : ` "${caption.replaceAll(/["\\]/g, "\\$&")}"`})`;

/** The address between the parentheses of a link. */
export const targetOf = (address: string): string =>
  /[\s()<>]/.test(address) ? `<${address.replaceAll("<", "%3C").replaceAll(">", "%3E")}>` : address;

const escaped = (text: string): string => text.replaceAll(/[[\]\\]/g, "\\$&");
