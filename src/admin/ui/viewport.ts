/** The width of the window, where a screen is made of other parts for a narrow one; admin.css has the same limits. */
import { signal, type ReadonlySignal } from "@preact/signals";

function isMatching(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener("change", () => (matches.value = media.matches));
  return matches;
}

/** A phone, or a tablet held upright. */
export const isNarrow = isMatching("(max-width: 63.99rem)");
