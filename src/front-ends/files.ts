/**
 * `git-cms/files`: a client of the files that `cms build --data-only` writes, for builds without a running service.
 *
 * Pictures have root-relative addresses there: copy the folder's `media` into the output. Drafts come from the service.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type CmsClient, type ClientOptions, type SiteManifest, type SiteTypes } from "./client.ts";

/**
 * A client of the files in a folder.
 *
 * @param folder is read again with each manifest, so that a development server follows a new build of the data
 * @param options of the service that drafts come from
 */
export function filesClient<Site extends SiteTypes = SiteTypes>(
  folder: string,
  options: ClientOptions = {},
): CmsClient<Site> {
  const service = createClient<Site>(options);
  const text = (file: string): Promise<string> => readFile(join(folder, file), "utf8");
  const json = async <T>(file: string): Promise<T> => JSON.parse(await text(file)) as T;
  const ifAny = async <T>(file: string): Promise<T | null> => json<T>(file).catch((error) => missing(error));
  const fileOf = (path: string): string => `${path.slice(1)}index.json`;

  const client: CmsClient<Site> = {
    url: service.url,
    async manifest() {
      const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll("\\", "/")).sort();
      const urls: { path: string; language_code: string; hash: string }[] = [];
      const shared = createHash("sha1");
      for (const file of files) {
        if (file.startsWith("_data/") && file.endsWith(".json")) shared.update(await text(file));
        if (!/(^|\/)index\.json$/.test(file)) continue;
        const payload = await text(file);
        const { routerlink, language } = JSON.parse(payload) as { routerlink: string; language: string };
        const hash = createHash("sha1").update(payload).digest("hex");
        urls.push({ path: routerlink, language_code: language, hash });
      }
      const redirects = (await ifAny<SiteManifest["redirects"]>("redirects.json")) ?? [];
      return { epoch: shared.digest("hex"), urls, redirects };
    },
    // A path may come from a request, and files outside of the folder are none of the site.
    page: async (path) => (/(^|[\\/])\.\.([\\/]|$)/.test(path) ? null : ifAny(fileOf(path))),
    draft: service.draft,
    async changed(known, on) {
      const manifest = await client.manifest();
      for (const entry of manifest.urls)
        if (known.get(entry.path) !== entry.hash) on(entry, await json(fileOf(entry.path)));
      return manifest;
    },
    menu: async (key, language) => (await json<Record<string, Site["menu"]>>(`_data/${language}/menus.json`))[key],
    languages: () => json("_data/languages.json"),
    get: (path) => ifAny(path),
  };
  return client;
}

/** @throws unless the file is just not there */
function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
