/** The templates that a page was rendered with, includes, imports and parents among them, with digests of their files. */
import { keptBy } from "../memo.ts";
import type { Templates } from "../render/templates.ts";
import { sha1 } from "./state/digest.ts";

export type TemplateSet = readonly (readonly [name: string, digest: string])[];

export interface TemplateUse {
  /** Runs the work and gathers the templates it uses; `set` is their number. Calls must not overlap. */
  gather<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly set: number }>;
  /** The number of a set of another build or process; undefined when one of its templates has changed. */
  known(set: TemplateSet): number | undefined;
  /** The number of the empty set. */
  readonly none: number;
  readonly sets: readonly TemplateSet[];
}

export function openTemplateUse(templates: Templates): TemplateUse {
  const digests = new Map<string, string>();
  const numbers = new Map<string, number>();
  const sets: TemplateSet[] = [];
  const digest = (name: string): string => keptBy(digests, name, () => digestOf(templates.text(name)));
  const number = (names: readonly string[]): number =>
    keptBy(numbers, JSON.stringify(names), () => sets.push(names.map((name) => [name, digest(name)])) - 1);
  /** Numbers by the names in the order of use: most pages use the same templates in the same order. */
  const inOrder = new Map<string, number>();
  const numberOf = (used: ReadonlySet<string>): number => {
    let key = "";
    for (const name of used) key += `${name}\n`;
    return keptBy(inOrder, key, () => number([...used].sort()));
  };
  return {
    sets,
    none: number([]),
    async gather(work) {
      const used = new Set<string>();
      templates.onUse((name) => used.add(name));
      try {
        const value = await work();
        return { value, set: numberOf(used) };
      } finally {
        templates.onUse(undefined);
      }
    },
    known: (set) =>
      set.every(([name, digestThen]) => digest(name) === digestThen) ? number(set.map(([name]) => name)) : undefined,
  };
}

/** A missing template has a digest, too: an include may ignore it while it is missing. */
const digestOf = (text: string | undefined): string => (text === undefined ? "" : sha1(text));
