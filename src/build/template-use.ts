/** Which templates a page was rendered with, includes, imports and parents among them, and what was in them. */
import { createHash } from "node:crypto";
import type { Templates } from "../render/templates.ts";

export type TemplateSet = readonly (readonly [name: string, digest: string])[];

export interface TemplateUse {
  /** Runs the work; the number of the set of templates it used. One at a time. */
  gather<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly set: number }>;
  /** The number of a set, which is one of an earlier build; undefined when any of its templates is another one now. */
  known(set: TemplateSet): number | undefined;
  /** The number of the empty set. */
  readonly none: number;
  readonly sets: readonly TemplateSet[];
}

export function openTemplateUse(templates: Templates): TemplateUse {
  const digests = new Map<string, string>();
  const numbers = new Map<string, number>();
  const sets: TemplateSet[] = [];
  const digest = (name: string): string => {
    const known = digests.get(name) ?? digestOf(templates.text(name));
    digests.set(name, known);
    return known;
  };
  const number = (names: readonly string[]): number => {
    const key = JSON.stringify(names);
    const known = numbers.get(key) ?? sets.push(names.map((name) => [name, digest(name)])) - 1;
    numbers.set(key, known);
    return known;
  };
  /** Of sets by the order in which they were used: pages alike use theirs in the same. */
  const inOrder = new Map<string, number>();
  const numberOf = (used: ReadonlySet<string>): number => {
    let key = "";
    for (const name of used) key += `${name}\n`;
    const known = inOrder.get(key) ?? number([...used].sort());
    inOrder.set(key, known);
    return known;
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
      set.every(([name, then]) => digest(name) === then) ? number(set.map(([name]) => name)) : undefined,
  };
}

/** A template that is not there counts too: a page may include one only if it is. */
const digestOf = (text: string | undefined): string =>
  text === undefined ? "" : createHash("sha1").update(text).digest("base64url");
