/** Errors of the YAML parser as `FileError`s that tell how to correct the text. */
import { EVENT_ID, getScalarValue, SCALAR_STYLE, YAMLException, type Event } from "js-yaml";
import { FileError, positionAt } from "../file-error.ts";

/** A plain number that JSON cannot hold with all its digits. */
export class InexactNumber extends Error {
  readonly source: string;
  constructor(source: string) {
    super(`the number ${source} cannot be kept exactly: put it in quotes to keep it as text`);
    this.source = source;
  }
}

/** Replacements for js-yaml's messages that do not tell what to do. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^bad indentation of a mapping entry/,
    "invalid here: check the indentation and the colon; quote text that contains `: ` or begins with @, % or a backtick",
  ],
  [/^bad indentation of a sequence entry/, "invalid here: check the indentation of the list"],
  [/^duplicated mapping key/, "duplicate key: keep one of the two"],
  [/^tab characters/, "has a tab in the indentation: use spaces"],
  [/^end of the stream or a document separator/, "invalid here: check the indentation and the line above"],
  [/^unexpected end of the stream within a (.*) quoted scalar/, "ends inside quoted text: a closing quote is missing"],
  [/^unexpected end of the stream within a flow collection/, "ends inside brackets: a `]` or `}` is missing"],
  [/^deficient indentation/, "needs more indentation, or brackets or quotes above are not closed"],
  [/^missed comma/, "needs a comma here, or a closing bracket before"],
  [/^unidentified alias/, "uses an alias (`*name`) that is not defined above: put text with a leading `*` in quotes"],
  [/^can not read a block mapping entry/, "invalid here: a `:` is missing, or text of several lines needs `|`"],
  [/^expected ':'/, "needs a `:` after the key"],
  [/^nesting exceeded/, "nests too deep"],
  [/^(the stream contains non-printable|null byte|expected valid JSON)/, "has a control character: remove it"],
];

/**
 * @param events of the text, to locate a number; empty when the parser failed
 * @returns the error itself if it is not the parser's
 */
export function asFileError(error: unknown, text: string, path: string, events: readonly Event[]): unknown {
  if (error instanceof FileError) return error;
  if (error instanceof InexactNumber) {
    const number = events
      .filter((event) => event.type === EVENT_ID.SCALAR)
      .find((event) => event.style === SCALAR_STYLE.PLAIN && getScalarValue(text, event) === error.source);
    return new FileError(path, error.message, number && positionAt(text, number.valueStart));
  }
  if (!(error instanceof YAMLException)) return error;
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(error.reason)) ?? [];
  const at = error.mark && { line: error.mark.line + 1, column: error.mark.column + 1 };
  return new FileError(path, advice ?? error.reason, at, { cause: error });
}
