/** Where a template fails: in which file and line, however it was reached from the one that is rendered. */

export interface TemplatePlace {
  /** Path below `templates/`. */
  readonly template: string;
  /** Both count from 1; null where only the file is known. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Known by name: the program may be loaded twice (a site's own module may bring it along), and nunjucks once. */
const PLACE = Symbol.for("git-cms: place of a template failure");

class TemplateFailure extends Error {
  override readonly name = "Template render error";
  readonly [PLACE]: TemplatePlace;

  constructor(place: TemplatePlace, reason: string, cause: unknown) {
    const line = place.line === null ? "" : ` [Line ${place.line}, Column ${place.column ?? 1}]`;
    super(`(${place.template})${line}\n  ${reason}`, { cause });
    this[PLACE] = place;
  }

  /** Called by nunjucks for every template the error passes through, to add that template's name. */
  Update(): this {
    return this;
  }
}

export const placeOfFailure = (error: unknown): TemplatePlace | undefined => failureIn(error)?.[PLACE];

/** What an error is, or was caused by, as where a helper renders a template inside another. */
function failureIn(error: unknown): TemplateFailure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (PLACE in each) return each as TemplateFailure;
  return undefined;
}

/**
 * The failure with its place. One that has a place already keeps it: it passes through the templates that include,
 * import, call or extend the one in which it happened.
 *
 * @param place where the template stood; a line that nunjucks has noted in the error counts for more
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
  // nunjucks' own errors, which have this method, tell the name of what was thrown in their message.
  return "Update" in error ? error.message : `${error.name}: ${error.message}`;
}
