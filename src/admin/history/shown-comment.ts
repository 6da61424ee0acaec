/** Moments in the comments of commits, as the service writes them. */
const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/** The comment of a revision with its moments as the reader writes them. */
export const shownComment = (comment: string, show: (iso: string) => string): string =>
  comment.replace(MOMENT, (iso) => show(iso));
