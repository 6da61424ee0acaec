/** The data of a running service other than pages, for its staff. */
import { setup } from "../../errors.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Client } from "./server-client.ts";
import type { DataParts } from "../data-files.ts";
import type { ServerAnswers } from "./server-answers.ts";

/**
 * @param relative removes the origin from media URLs
 * @param lang for data that are the same in all languages
 */
export function serverData(
  client: Client,
  answers: ServerAnswers,
  relative: (value: unknown) => unknown,
  lang: Lang,
): DataParts {
  const shown = async <T>(path: string): Promise<T> => {
    const found = await client.json<T>(path);
    if (found === undefined)
      throw setup(`${client.origin} shows ${path.split("?")[0]!} only to its staff: give a token with --token.`);
    return found;
  };
  const byId = async (path: string): Promise<readonly JsonObject[]> =>
    [...(await shown<readonly JsonObject[]>(path))].sort((a, b) => Number(a.id) - Number(b.id));
  const result = async (query: string, of: Lang, ...args: string[]): Promise<unknown> => {
    await answers.fetch([query, of, ...args]);
    return answers.find([query, of, ...args]);
  };
  return {
    types: () => byId("meta-types"),
    schema: ({ id }) => shown(`meta-types/${Number(id)}/schema?language=${lang}`),
    menus: (of) => result("menus", of),
    tags: (of) => result("tags", of),
    media: async (of) => relative(await byId(`media?language=${of}`)) as readonly JsonObject[],
    instances: (of, key) => result("instances", of, key),
  };
}
