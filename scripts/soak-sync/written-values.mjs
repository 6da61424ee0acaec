/**
 * What became of each value that was written, as the history of the branch tells it.
 *
 * The order in which writes were acknowledged says little: a server that is killed may have committed a write that it never
 * answered, and servers that are cut off do not know each other's. So a value may be gone only if a commit that knew it,
 * because it descends from the commit that wrote it, wrote the same field again, published a draft of it or deleted the page.
 */

/** For `git`: what `readHistory` reads. */
export const HISTORY = ["log", "--no-renames", "--unified=0", "--patch", "--format=%x01%H %P%x02%B%x02", "HEAD"];

const VALUE = /value \d+\./g;
/** What a merge says of two records with one id. */
const NEW_ID = /: id (\d+) is now (\d+)$/gm;

/** A text that no other write has. */
export const valueOf = (number) => `value ${number}.`;

/** @param text printed by `git` for `HISTORY` */
export function readHistory(text) {
  const children = new Map();
  const writers = new Map();
  const publications = new Map();
  const deletions = new Map();
  const newIds = new Map();
  for (const entry of text.split("\x01").slice(1)) {
    const [ids, message, patch] = entry.split("\x02");
    const [id, ...parents] = ids.trim().split(" ");
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), id]);
    // Git prints no patch for a merge: what it has of its parents is not written anew.
    const { added, moved } = valuesIn(patch);
    for (const value of added) writers.set(value, id);
    if (/^Cms-Action: publish(-due)?$/m.test(message))
      for (const value of moved) publications.set(value, [...(publications.get(value) ?? []), id]);
    for (const [, from, to] of message.matchAll(NEW_ID)) newIds.set(from, [...(newIds.get(from) ?? []), to]);
    const page = /^Cms-Action: delete$[^]*^Cms-Page: (\d+)$/m.exec(message)?.[1];
    if (page !== undefined) deletions.set(page, [...(deletions.get(page) ?? []), id]);
  }
  return { children, writers, publications, deletions, newIds };
}

/** The values that a patch adds to a file, and those that it takes from one to another, as a move or a publication does. */
function valuesIn(patch) {
  const values = { "+": new Set(), "-": new Set() };
  for (const line of patch.split("\n")) for (const [value] of line.matchAll(VALUE)) values[line[0]]?.add(value);
  const [added, moved] = [[], []];
  for (const value of values["+"]) (values["-"].has(value) ? moved : added).push(value);
  return { added, moved };
}

/**
 * @param history as `readHistory` gives it
 * @param writes by value, `page` and `field` of every write that was tried; a field begins with its page, and is of one language
 * @returns for a value: "kept" if it must be found, "replaced" if a write, a publication or a deletion that knew it took its place, and
 *   "unwritten" if no commit has it
 */
export function fatesIn({ children, writers, publications, deletions, newIds }, writes) {
  const places = new Map();
  for (const [value, { field }] of writes) places.set(field, [...(places.get(field) ?? []), value]);
  return (value) => {
    const { page, field } = writes.get(value);
    const from = writers.get(value);
    if (from === undefined) return "unwritten";
    const later = descendantsOf(children, from);
    const pages = idsOf(newIds, String(page));
    const fields = pages.map((each) => each + field.slice(String(page).length));
    const others = fields
      .flatMap((each) => places.get(each) ?? [])
      .filter((other) => other !== value)
      .flatMap((other) => [...(writers.has(other) ? [writers.get(other)] : []), ...(publications.get(other) ?? [])]);
    const removals = pages.flatMap((each) => deletions.get(each) ?? []);
    const isReplaced = [...others, ...removals].some((commit) => later.has(commit));
    return isReplaced ? "replaced" : "kept";
  };
}

/** The id of a page, and those that merges gave to it. */
const idsOf = (newIds, page) => [page, ...(newIds.get(page) ?? []).flatMap((each) => idsOf(newIds, each))];

function descendantsOf(children, commit) {
  const found = new Set();
  for (const open = [commit]; open.length > 0;) {
    for (const child of children.get(open.pop()) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  }
  return found;
}
