/** Values computed from the history, cached in a small file beside the index so that the index need not be read. */
import { readFile } from "node:fs/promises";
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { PROGRAM } from "../../version.ts";
import { diskFs, replaceCache } from "../git/fs.ts";
import type { Repo } from "../repo.ts";

interface DerivedValues {
  get(name: string, compute: (last: Json | undefined) => Promise<Json>): Promise<Json>;
  /** The last value, computed for any HEAD; undefined where it cannot be compared with the present history. */
  last(name: string): Promise<Json | undefined>;
  save(): Promise<void>;
}

interface Stored {
  /** Program version, HEAD and whether the clone is shallow. */
  readonly of: string;
  readonly values: JsonObject;
}

const VERSION = 2;
const NOTHING: Stored = { of: "", values: {} };

/**
 * @param indexFile null keeps the values in memory only
 * @param origin of the repository that this one was forked from: its values are where the first computations begin
 */
export function openDerivedValues(
  repo: Repo,
  indexFile: string | null,
  origin?: Pick<DerivedValues, "last">,
): DerivedValues {
  const file = indexFile?.replace(/(\.json)?$/, ".derived.json");
  let stored: Stored | undefined;
  let isChanged = false;
  const currentHistory = async (): Promise<string> =>
    `${PROGRAM.version} ${(await repo.state()).head} ${await repo.isShallow()}`;
  const read = async (): Promise<Stored> => (stored ??= file === undefined ? NOTHING : await readStored(file));
  const last = async (name: string): Promise<Json | undefined> => {
    const { of, values } = await read();
    const isComparable = of.startsWith(`${PROGRAM.version} `) && of.endsWith(String(await repo.isShallow()));
    return (isComparable ? own(values, name) : undefined) ?? origin?.last(name);
  };
  return {
    last,
    async get(name, compute) {
      const of = await currentHistory();
      const known = await read();
      const value = known.of === of ? own(known.values, name) : undefined;
      if (value !== undefined) return value;
      const computed = await compute(await last(name));
      // If HEAD moved meanwhile, it is unknown for which history the value was computed.
      if ((await currentHistory()) !== of) return computed;
      const { of: storedOf, values } = await read();
      stored = { of, values: { ...(storedOf === of ? values : {}), [name]: computed } };
      isChanged = true;
      return computed;
    },
    async save() {
      if (file === undefined || !isChanged || !stored) return;
      isChanged = false;
      await replaceCache(diskFs, file, Buffer.from(JSON.stringify({ version: VERSION, ...stored })));
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
