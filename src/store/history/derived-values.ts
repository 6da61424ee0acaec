/** Values computed from the history, cached in a small file beside the index so that the index need not be read. */
import { readFile } from "node:fs/promises";
import { isObject, own, type Json, type JsonObject } from "../../model/json.ts";
import { PROGRAM } from "../../version.ts";
import { replaceFile } from "../private/replace-file.ts";
import type { Repo } from "../repo.ts";

interface DerivedValues {
  get(name: string, compute: (last: Json | undefined) => Promise<Json>): Promise<Json>;
  save(): Promise<void>;
}

interface Stored {
  /** Program version, HEAD and whether the clone is shallow. */
  readonly of: string;
  readonly values: JsonObject;
}

const VERSION = 2;
const NOTHING: Stored = { of: "", values: {} };

/** @param indexFile null keeps the values in memory only */
export function openDerivedValues(repo: Repo, indexFile: string | null): DerivedValues {
  const file = indexFile?.replace(/(\.json)?$/, ".derived.json");
  let stored: Stored | undefined;
  let isChanged = false;
  return {
    async get(name, compute) {
      const historyNow = async (): Promise<string> =>
        `${PROGRAM.version} ${(await repo.state()).head} ${await repo.isShallow()}`;
      const of = await historyNow();
      stored ??= file === undefined ? NOTHING : await readStored(file);
      const value = stored.of === of ? own(stored.values, name) : undefined;
      if (value !== undefined) return value;
      const isComparable =
        stored.of.startsWith(`${PROGRAM.version} `) && stored.of.endsWith(String(await repo.isShallow()));
      const computed = await compute(isComparable ? own(stored.values, name) : undefined);
      // If HEAD moved meanwhile, it is unknown for which history the value was computed.
      if ((await historyNow()) !== of) return computed;
      stored = { of, values: { ...(stored.of === of ? stored.values : {}), [name]: computed } };
      isChanged = true;
      return computed;
    },
    async save() {
      if (file === undefined || !isChanged || !stored) return;
      isChanged = false;
      await replaceFile(file, JSON.stringify({ version: VERSION, ...stored }));
    },
  };
}

async function readStored(file: string): Promise<Stored> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isObject(stored) || stored.version !== VERSION) return NOTHING;
    const { of, values } = stored;
    return typeof of === "string" && isObject(values) ? { of, values } : NOTHING;
  } catch {
    return NOTHING; // missing or damaged: computed again
  }
}
