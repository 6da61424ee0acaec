/** Compares two output folders, byte by byte. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { STATE_FILE } from "../state/state-file.ts";

/** Paths of files that are in one folder only, or differ. @param except paths in the first folder that are not compared */
export async function outputDifferences(dir: string, other: string, except: readonly string[] = []): Promise<string[]> {
  const [here, there] = await Promise.all([filesIn(dir), filesIn(other)]);
  const left = new Set(except);
  const names = [...new Set([...here, ...there])].filter((path) => path !== STATE_FILE && !left.has(path)).sort();
  const different: string[] = [];
  for (const path of names) if (!(await isSame(join(dir, path), join(other, path)))) different.push(path);
  return different;
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
}

async function isSame(a: string, b: string): Promise<boolean> {
  const [one, two] = await Promise.all([a, b].map((path) => readFile(path).catch(() => undefined))); // undefined: not there
  return one !== undefined && two !== undefined && one.equals(two);
}
