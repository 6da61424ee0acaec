/** Words that stand one after the other. */
import { pace } from "../../time-slices.ts";
import { Cursor, wordAt, type Postings } from "./postings.ts";

/**
 * Sets `matched` to 0 for documents with all words of a phrase elsewhere, where it is wanted, and else for those with the phrase.
 *
 * @param matched by the number of a document: 1 where it is to be judged
 */
export async function keepPhrases(
  parts: readonly Postings[],
  words: readonly string[],
  matched: Float32Array,
  isWanted: boolean,
): Promise<void> {
  for (const part of parts) {
    const places = words.map((word) => wordAt(part, word));
    if (places.includes(-1)) continue;
    const cursors = places.map((place) => new Cursor(part, place));
    for (let [doc, nth] = [0, 0]; ;) {
      const cursor = cursors[nth]!;
      while (cursor.doc < doc) cursor.next();
      if (cursor.doc === Infinity) break;
      if (cursor.doc > doc) [doc, nth] = [cursor.doc, 0];
      else if (++nth === cursors.length) {
        if (matched[doc] === 1 && standTogether(cursors) !== isWanted) matched[doc] = 0;
        if (doc % 64 === 0) await pace();
        [doc, nth] = [doc + 1, 0];
      }
    }
  }
}

/** Whether words stand one after the other in the document that all are at. */
function standTogether(words: readonly Cursor[]): boolean {
  let begin = 1;
  for (let nth = 0; nth < words.length;) {
    const word = words[nth]!;
    while (word.position < begin + nth) word.nextPosition();
    if (word.position === Infinity) return false;
    if (word.position === begin + nth) nth++;
    else [begin, nth] = [word.position - nth, 0];
  }
  return true;
}
