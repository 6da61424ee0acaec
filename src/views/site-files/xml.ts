/** Text and attribute values of XML: markup is escaped, and characters that XML 1.0 cannot contain are left out. */
export const escapeXml = (text: string): string =>
  MARKUP.test(text)
    ? text.replace(ALL_MARKUP, (character) => (ESCAPED.test(character) ? `&#${character.charCodeAt(0)};` : ""))
    : text;

const ESCAPED = /[<>&'"]/;
// oxlint-disable-next-line no-control-regex
const MARKUP = /[<>&'"\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const ALL_MARKUP = new RegExp(MARKUP, "g");
