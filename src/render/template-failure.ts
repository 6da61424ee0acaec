/** The file and line in which a template failed, which may be included or extended by the rendered one. */

interface TemplatePlace {
  /** Path below `templates/`. */
  readonly template: string;
  /** From 1; null where only the file is known. */
  readonly line: number | null;
  readonly column: number | null;
}

/** A global symbol: a module of the site may load a second copy of this program, with the same nunjucks. */
const PLACE = Symbol.for("git-cms: place of a template failure");

class TemplateFailure extends Error {
  override readonly name = "Template render error";
  readonly [PLACE]: TemplatePlace;
  readonly reason: string;

  constructor(place: TemplatePlace, reason: string, cause: unknown) {
    const line = place.line === null ? "" : ` [Line ${place.line}, Column ${place.column ?? 1}]`;
    super(`(${place.template})${line}\n  ${reason}`, { cause });
    this[PLACE] = place;
    this.reason = reason;
  }

  /** nunjucks calls it in every template the error passes through, to add the name of that template. */
  Update(): this {
    return this;
  }
}

/** @param cause what was thrown */
export const failureAt = (place: TemplatePlace, reason: string, cause: unknown): Error =>
  new TemplateFailure(place, reason, cause);

export const placeOfFailure = (error: unknown): TemplatePlace | undefined => failureIn(error)?.[PLACE];

/** The message without the place; undefined for an error that is no failure of a template. */
export const reasonOfFailure = (error: unknown): string | undefined => failureIn(error)?.reason;

/** The error, or one of its causes: a helper may render a template inside another. */
function failureIn(error: unknown): TemplateFailure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (PLACE in each) return each as TemplateFailure;
  return undefined;
}

/**
 * The error with the place of the failure. An error that has a place keeps it: it passes through the templates that
 * include, import, call or extend the one that failed.
 *
 * @param place the template and the line it had reached; a line that nunjucks reports takes precedence
 */
export function located(error: unknown, place: TemplatePlace): Error {
  const known = failureIn(error);
  if (known) return known;
  const { lineno, colno } = error as { readonly lineno?: number; readonly colno?: number };
  const at = lineno ? { ...place, line: lineno, column: colno ?? null } : place;
  return new TemplateFailure(at, reasonOf(error), error);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // nunjucks' own errors have a method `Update`, and their message already includes the name of the original error.
  return "Update" in error ? error.message : `${error.name}: ${error.message}`;
}
