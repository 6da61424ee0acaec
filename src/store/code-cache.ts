/** Texts that take long to be made, by names that say all they were made from, kept in the private state between starts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../model/json.ts";
import { replaceFile } from "./replace-file.ts";

export interface CodeCache {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  /** Writes what is new, if anything. */
  save(): Promise<void>;
}

const FILE = "templates.json";
const VERSION = 1;
/** With more, those that were not asked for are let go. */
const KEPT_MAX = 500;

/** @param dir the private state folder; null keeps everything in memory. What cannot be read is none */
export function openCodeCache(dir: string | null): CodeCache {
  let texts: Map<string, string> | undefined;
  const used = new Set<string>();
  let isNew = false;
  const all = (): Map<string, string> => (texts ??= new Map(dir === null ? [] : readTexts(join(dir, FILE))));
  return {
    get(key) {
      used.add(key);
      return all().get(key);
    },
    set(key, text) {
      used.add(key);
      all().set(key, text);
      isNew = true;
    },
    async save() {
      if (dir === null || !isNew) return;
      isNew = false;
      const kept = [...all()].filter(([key]) => all().size <= KEPT_MAX || used.has(key));
      await replaceFile(join(dir, FILE), JSON.stringify({ version: VERSION, texts: kept }));
    },
  };
}

function readTexts(file: string): readonly (readonly [string, string])[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(stored) && stored.version === VERSION ? (stored.texts as unknown as [string, string][]) : [];
  } catch {
    return []; // absent or damaged: made again
  }
}
