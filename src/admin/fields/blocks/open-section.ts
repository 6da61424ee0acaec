/** The section at work, which the preview outlines. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Its path: names and indexes joined by dots. */
export const openSection = signal<string | undefined>(undefined);

/** @param path of the field @param at the index of its open section; negative: none */
export function useOpenSection(path: string, at: number): void {
  useEffect(() => {
    if (at < 0) return;
    const own = `${path}.${at}`;
    openSection.value = own;
    return () => {
      // One inside of it may be the one at work.
      if (`${openSection.peek()}.`.startsWith(`${own}.`)) openSection.value = undefined;
    };
  }, [path, at]);
}
