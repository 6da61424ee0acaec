/**
 * The schemes that no link may have: those that can run code in the page, and those that show what is on the reader's
 * own computer. Every other one leads to another program at most, as `sms:` and `whatsapp:` do.
 */
export const DANGEROUS_SCHEMES: readonly string[] = [
  "javascript",
  "vbscript",
  "livescript",
  "mocha",
  "data",
  "blob",
  "filesystem",
  "file",
  "view-source",
  "jar",
  "mhtml",
  "about",
];

/** The name of a scheme as browsers read one, with its colon. */
const SCHEME = "[A-Za-z][A-Za-z0-9+.\\-]*:";

/** Upper and lower case are one. Without the flag `i`, since a JSON Schema has no flags. */
const anyCase = (name: string): string => name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

/** The source of a pattern for the scheme of an address that is neither dangerous nor http, which needs a host. */
export const OTHER_SCHEME = `(?!(?:${[...DANGEROUS_SCHEMES, "http", "https"].map(anyCase).join("|")}):)${SCHEME}`;

// linear: it is anchored, and matches fixed names.
const DANGEROUS = new RegExp(`^(?:${DANGEROUS_SCHEMES.map(anyCase).join("|")}):`);

/**
 * Whether an address has a dangerous scheme. Browsers drop control characters and white space before it, and line breaks
 * and tabs within it.
 */
export const hasDangerousScheme = (address: string): boolean =>
  DANGEROUS.test(address.replace(/[\p{Cc}\p{Cf}\s]/gu, ""));

/** For messages. */
export const DANGEROUS_NAMES = `${DANGEROUS_SCHEMES.slice(0, -1).join(", ")} or ${DANGEROUS_SCHEMES.at(-1)}`;
