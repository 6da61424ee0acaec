/** The content of a running service, by its public API, with the templates of this folder. */
import { writeFile } from "node:fs/promises";
import { siteAddressOf, type Config } from "../../config.ts";
import { clockAnswer, siteClock, isQuestion } from "../../model/time/clock-answers.ts";
import type { Instant } from "../../model/time/instant.ts";
import { valuesIn } from "../../model/input/json.ts";
import { encodePath } from "../../model/language/locale.ts";
import { isNoindex } from "../../model/page/robots.ts";
import type { RunQuery } from "../../render/template-queries.ts";
import type { Entity, Reader } from "../../store/records/record-type.ts";
import { notFound } from "../../errors.ts";
import type { View } from "../../views/view.ts";
import type { Client } from "./server-client.ts";
import type { PageLog } from "../page-log.ts";
import type { DataParts } from "../data-files.ts";
import { serverAnswers } from "./server-answers.ts";
import { serverData } from "./server-data.ts";
import { serverSearch } from "./server-search.ts";
import { readPages, type ServerPage } from "./server-pages.ts";
import { sha1 } from "../state/digest.ts";
import type { Made, MediaFile, Source } from "./source.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Dependency, Listing } from "../state/state.ts";

export interface ServerSourceOptions {
  readonly client: Client;
  readonly config: Config;
  /** Texts of the site's templates, which contain the keys of the menus to fetch. */
  readonly templates: readonly string[];
  readonly now: Instant;
  readonly dependencies: Dependencies;
  /** The output of an earlier build, whose payloads need not be fetched again. */
  readonly out: string;
  readonly cache: string;
  readonly log: PageLog;
}

export interface ServerSource extends Source {
  /** Whether the content of the service is unchanged. */
  isCurrent(): Promise<boolean>;
  readonly data: DataParts;
}

/** The reader of a view here: only `ask` can read the content of the service. */
const NOTHING: Reader = {
  find: () => undefined,
  get<T extends Entity>(kind: { readonly name: string }): T {
    throw notFound(kind.name);
  },
  all: () => [],
};

/** @throws CmsError `setup` when the service cannot be read */
export async function serverSource({
  client,
  config,
  templates,
  now,
  dependencies,
  out,
  cache,
  log,
}: ServerSourceOptions): Promise<ServerSource> {
  const { locales } = config;
  const mediaUrl = config.MEDIA.URL;
  const origins = [
    ...new Set([new URL(client.origin).origin, ...(config.BASE_URL === null ? [] : [siteAddressOf(config)])]),
  ];
  const known = await readPages(client, { out, cache, mediaUrl, origins });
  const relative = (value: unknown): unknown =>
    JSON.parse(origins.reduce((text, origin) => text.replaceAll(origin + mediaUrl, mediaUrl), JSON.stringify(value)));
  const answers = serverAnswers({ client, known, locales, mediaUrl, relative, menuKeys: menuKeysIn(templates) });
  const views = new Map(
    locales.codes.map((lang): [string, View] => [
      lang,
      { content: NOTHING, config, locales, lang, now, surface: "public", origin: "" },
    ]),
  );
  /** Queries whose results have to be fetched. */
  const missing: Dependency[] = [];

  const make = async (listing: Listing): Promise<Made> => {
    const { hash } = listing as ServerPage;
    const text = known.text(listing as ServerPage);
    return { payload: JSON.parse(text) as Made["payload"], text, hash };
  };
  const clock = siteClock(now, locales.timeZone);
  const find = (query: Dependency): unknown =>
    isQuestion(query[0]) ? clockAnswer(clock, query[0], query[2]) : answers.find(query);
  const resultOf = (query: Dependency): unknown => {
    const found = find(query);
    if (found !== undefined) return found;
    missing.push(query);
    throw new Error(`The result of ${query[0]} is being fetched`);
  };
  const settle = async (): Promise<boolean> => {
    const queries = missing.splice(0);
    await Promise.all(queries.map((each) => answers.fetch(each)));
    return queries.length > 0;
  };
  const ask: RunQuery = (view, query, ...args) => {
    dependencies.note(query, view.lang, ...args);
    return structuredClone(resultOf([query, view.lang, ...args])) as never;
  };

  return {
    name: client.origin,
    server_time: known.manifest.server_time,
    now,
    epoch: async () => known.manifest.epoch,
    pages: known.pages,
    redirects: known.manifest.redirects,
    ask,
    view: (lang) => views.get(lang)!,
    hash: async (page) => (page as ServerPage).hash,
    trust: () => undefined,
    make,
    shown: (_page, { payload }) => ({
      payload,
      template: String(payload.template_file),
      page_model:
        payload.related_name === "cms_article"
          ? { class: "Article", module: "cms" }
          : { class: "Page", module: String(payload.related_name).split("_")[0]! },
      inject: null, // not part of the API
    }),
    updated: (_page, { payload }) =>
      isNoindex(String(payload.robots ?? "")) ? "" : new Date(String(payload.date_updated_at)).toISOString(),
    digest(query) {
      const pages = answers.pageList(query);
      return sha1(pages ? pages.map(({ id, hash }) => `${id} ${hash}`).join("\n") : JSON.stringify(resultOf(query)));
    },
    async prepare(queries) {
      const unknown = queries.filter((each) => answers.pageList(each) === undefined && find(each) === undefined);
      await Promise.all(unknown.map((each) => answers.fetch(each)));
    },
    settle,
    feed(lang, count) {
      const payloadOf = (page: ServerPage) => JSON.parse(known.text(page)) as Made["payload"];
      const home = known.pages.find((page) => page.language_code === lang && page.permalink === "/");
      const articles = answers.pageList(["articles", lang, null]) ?? [];
      return { home: home ? payloadOf(home) : null, articles: articles.slice(0, count).map(payloadOf) };
    },
    search: async () => (config.SITE_SEARCH ? serverSearch(client, locales, log) : new Map<string, string>()),
    data: serverData(client, answers, relative, locales.default),
    media: () =>
      mediaFiles(
        client,
        mediaUrl,
        relative,
        known.pages.map((page) => known.text(page)),
      ),
    async isCurrent() {
      if (!known.isOneTime) return false;
      const again = await client.json<typeof known.manifest>("pages-router/changes");
      const version = ({ epoch, urls, redirects }: typeof known.manifest): string =>
        JSON.stringify([epoch, urls, redirects]);
      return again !== undefined && version(again) === version(known.manifest);
    },
  };
}

/** `menus.main`, `menus["main"]`, `render_menu("main")`, `get_menus("main", "footer")`. */
function menuKeysIn(templates: readonly string[]): string[] {
  const named = templates.flatMap((text) => [
    ...[...text.matchAll(/\bmenus\.([\w-]+)/g)].map((match) => match[1]!),
    ...[...text.matchAll(/\bmenus\[\s*["']([^"']+)["']/g)].map((match) => match[1]!),
    ...[...text.matchAll(/\b(?:render_menu|get_menus)\(([^()]*)\)/g)].flatMap((match) =>
      [...match[1]!.matchAll(/["']([\w-]+)["']/g)].map((key) => key[1]!),
    ),
  ]);
  return [...new Set(named)].sort();
}

/** With a token the whole media library with thumbnails and renditions, else the files in payloads. */
async function mediaFiles(
  client: Client,
  mediaUrl: string,
  relative: (value: unknown) => unknown,
  payloads: readonly string[],
): Promise<MediaFile[]> {
  const urls = new Set<string>();
  const note = (value: unknown): void => {
    for (const each of valuesIn(value)) if (typeof each === "string" && each.startsWith(mediaUrl)) urls.add(each);
  };
  if (client.hasToken) for (const item of await client.list("media")) note(relative(item));
  else for (const text of payloads) if (text.includes(mediaUrl)) note(JSON.parse(text));
  const paths = [...urls]
    .map((url) => decodeURI(url.slice(mediaUrl.length)))
    .filter((path) =>
      path.split("/").every((segment) => segment !== "" && !segment.startsWith(".") && !/[\\\0:]/.test(segment)),
    );
  const files = await Promise.all(
    paths.map(async (path): Promise<MediaFile[]> => {
      const url = mediaUrl + encodePath(path);
      const version = await client.version(url);
      return version === undefined
        ? []
        : [
            {
              path,
              version,
              copy: async (to) => writeFile(to, await client.bytes(url), { flag: "wx" }).then(() => true),
            },
          ];
    }),
  );
  return files.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}
