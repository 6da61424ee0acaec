/** The files of the search of a running service, which has them as they would be built from its content. */
import type { Locales } from "../../model/language/locale.ts";
import { SEARCH_FOLDER, SEARCH_SCRIPT } from "../../views/search/site-files.ts";
import { namedPieces } from "../../views/search/site-pieces.ts";
import type { PageLog } from "../page-log.ts";
import type { Client } from "./server-client.ts";

/** Texts by path; none, with a warning, where the service has no search. */
export async function serverSearch(
  client: Client,
  { codes }: Locales,
  log: PageLog,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const text = new TextDecoder().decode(await client.bytes(`/${path}`));
    files.set(path, text);
    return text;
  };
  if ((await client.version(`/${SEARCH_SCRIPT}`)) === undefined) {
    log.warn("The service has no search: SITE_SEARCH is off in its settings.");
    return files;
  }
  await read(SEARCH_SCRIPT);
  for (const lang of codes) {
    const inFolder = (name: string): Promise<string> => read(`${SEARCH_FOLDER}${lang}/${name}`);
    await Promise.all((await namedPieces(inFolder)).map(inFolder));
  }
  return files;
}
