/** Writes the schemas of a site's files into a folder, which git ignores by itself. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Cms } from "../cms.ts";
import { messageOf } from "../errors.ts";
import { fileSchemas, SCHEMA_FOLDER, type FileSchema } from "../schema/files.ts";
import { shapeOf } from "../schema/site-shape.ts";
import { BLOCK_TYPES } from "../store/records/block-types.ts";
import type { Entity } from "../store/records/record-type.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import { PAGE_MODELS } from "../store/records/page-models.ts";

const INSTANCES = "instances";

/**
 * Files that are as they should be are not written, and schemas of types that are gone are removed.
 *
 * @param folder absolute
 */
export async function writeSchemas(folder: string, schemas: readonly FileSchema[]): Promise<void> {
  await mkdir(join(folder, INSTANCES), { recursive: true });
  await writeIfChanged(join(folder, ".gitignore"), "*\n");
  for (const { name, schema } of schemas)
    await writeIfChanged(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
  const kept = new Set(schemas.map(({ name }) => name));
  for (const name of await readdir(join(folder, INSTANCES)))
    if (name.endsWith(".json") && !kept.has(`${INSTANCES}/${name}`))
      await rm(join(folder, INSTANCES, name), { force: true });
}

async function writeIfChanged(file: string, text: string): Promise<void> {
  const before = await readFile(file, "utf8").catch(() => undefined); // there is none, or it is written anew
  if (before === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The schemas of the newest content. */
export const schemasOf = ({ config, store }: Pick<Cms, "config" | "store">): readonly FileSchema[] =>
  fileSchemas(shapeOf(config, store.current));

/** Writes the schemas now and after each change of page models, meta types and block types. @returns stops, and waits for the last write */
export function keepSchemas({
  root,
  config,
  store,
  env,
}: Pick<Cms, "root" | "config" | "store" | "env">): () => Promise<void> {
  const folder = join(root, SCHEMA_FOLDER);
  let of: readonly object[] = [];
  let last = Promise.resolve();
  const update = (): void => {
    const next = [PAGE_MODELS, META_TYPES, BLOCK_TYPES].map((kind) => store.current.all<Entity>(kind));
    if (next.every((table, at) => table === of[at])) return;
    of = next;
    const schemas = schemasOf({ config, store });
    last = last
      .then(() => writeSchemas(folder, schemas))
      .catch((error: unknown) =>
        env.log.warn(`The schemas in ${SCHEMA_FOLDER} could not be written: ${messageOf(error)}`),
      );
  };
  update();
  const stop = store.onChange(update);
  return () => {
    stop();
    return last;
  };
}
