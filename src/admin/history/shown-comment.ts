/** Moments in the comments of commits, as the service writes them. */
const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

/** As the service shortens them, or longer. */
const HASH = /\b[0-9a-f]{10,40}\b/g;

/** The comment of a revision with its moments as the reader writes them, and with those of the revisions that it names. */
export const shownComment = (
  comment: string,
  show: (iso: string) => string,
  revisions: readonly { readonly id: string; readonly date_created: string }[] = [],
): string =>
  comment
    .replace(HASH, (hash) => revisions.find(({ id }) => id.startsWith(hash))?.date_created ?? hash)
    .replace(MOMENT, (iso) => show(iso));
