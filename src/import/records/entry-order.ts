import type { ImportedEntry, SourceId } from "../imported-site.ts";

/** Parents before their children, else in the given order; a circle is entered where it is met first. */
export function parentsFirst(entries: readonly ImportedEntry[]): ImportedEntry[] {
  const bySource = new Map(entries.map((entry) => [entry.source, entry]));
  const placed = new Set<SourceId>();
  const ordered: ImportedEntry[] = [];
  for (const entry of entries) {
    const chain: ImportedEntry[] = [];
    for (let at: ImportedEntry | undefined = entry; at && !placed.has(at.source);) {
      placed.add(at.source);
      chain.push(at);
      at = at.parent === undefined ? undefined : bySource.get(at.parent);
    }
    ordered.push(...chain.reverse());
  }
  return ordered;
}
