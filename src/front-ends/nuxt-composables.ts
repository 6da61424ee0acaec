/** What `git-cms/nuxt` adds to components. Nuxt compiles this file with the site's own. */
import {
  createError,
  navigateTo,
  onNuxtReady,
  onScopeDispose,
  useAsyncData,
  useRequestURL,
  useRoute,
  useRuntimeConfig,
  type Ref,
} from "#imports";
import { connect } from "git-cms/bridge";
import { createClient, draftAt, isRedirect, type CmsClient, type PageLike } from "./client.ts";

/**
 * The page at the address of the route; below `/preview/`, with its draft, as the query of the editor or `CMS_TOKEN` allows.
 *
 * @throws an error of Nuxt where there is none, with its status. A page that has moved is navigated to.
 */
export async function useCmsPage<Page extends PageLike = PageLike>(): Promise<Ref<Page>> {
  const service = useService();
  const route = useRoute();
  const url = useRequestURL();
  const isPreview = route.path.startsWith("/preview/");
  const asked = useAsyncData<PageLike>(`cms:${route.fullPath}`, async () => {
    if (isPreview) return draft(service, new URL(route.fullPath, url));
    return published(service, route.path);
  });
  if (import.meta.client && isPreview) {
    const show = (page: object): void => void (asked.data.value = page as PageLike);
    let close: (() => void) | undefined;
    // Before Vue has taken over what the server rendered, a change would be a mismatch.
    onNuxtReady(() => void (close = connect({ service: service.client.url, onPage: show })));
    onScopeDispose(() => close?.());
  }
  const { data, error } = await asked;
  if (error.value)
    throw createError({ statusCode: error.value.statusCode ?? 500, message: error.value.message, fatal: true });
  if (data.value && isRedirect(data.value))
    await navigateTo(data.value.redirect, { redirectCode: data.value.status, replace: true });
  return data as Ref<Page>;
}

/**
 * What `pick` makes of all public pages, such as a list of articles; the browser gets that alone.
 *
 * @param key of the answer, another one for each question
 */
export async function useCmsPages<Page extends PageLike, T>(
  key: string,
  pick: (pages: readonly Page[]) => T,
): Promise<Ref<T>> {
  const service = useService();
  const { data } = await useAsyncData(`cms-pages:${key}`, async () =>
    pick([...(await allPages(service)).values()] as Page[]),
  );
  return data as Ref<T>;
}

export async function useCmsMenu<Menu = unknown>(key: string, language: string): Promise<Ref<Menu>> {
  const { client } = useService();
  const { data } = await useAsyncData(`cms-menu:${key}:${language}`, () =>
    once(`menu:${key}:${language}`, () => client.menu(key, language)),
  );
  return data as Ref<Menu>;
}

export async function useCmsLanguages(): Promise<Ref<readonly { id: string; name: string }[]>> {
  const { client } = useService();
  const { data } = await useAsyncData("cms-languages", () => once("languages", () => client.languages()));
  return data as Ref<readonly { id: string; name: string }[]>;
}

interface Service {
  readonly client: CmsClient;
  /** The file of payloads, which the module wrote before the pages are prerendered. */
  readonly file: string;
}

let client: CmsClient | undefined;

/** Asked for before the first `await` of a composable: later on, Nuxt no longer knows whose configuration is meant. */
function useService(): Service {
  const config = useRuntimeConfig();
  client ??= createClient({ url: config.public.cms.url });
  return { client, file: import.meta.prerender ? config.cms.file : "" };
}

const answers = new Map<string, Promise<unknown>>();

/** In a build, what all pages share is asked once. */
function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  if (!import.meta.prerender) return ask();
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer as Promise<T>;
}

async function draft({ client }: Service, url: URL): Promise<PageLike> {
  const found = await draftAt(client, url);
  if (!(found instanceof Response)) return found;
  const location = found.headers.get("location");
  if (location !== null) return { redirect: location, status: 302 };
  throw createError({ statusCode: found.status, message: await found.text() });
}

async function published(service: Service, path: string): Promise<PageLike> {
  const wanted = path.endsWith("/") ? path : `${path}/`;
  const page = import.meta.prerender ? (await allPages(service)).get(wanted) : await service.client.page(wanted);
  if (!page) throw createError({ statusCode: 404, message: "There is no such page." });
  return page as PageLike;
}

const hashes = new Map<string, string>();
const pages = new Map<string, PageLike>();

/** All public pages by path: in a build from the file that the module wrote before, else from the service, each once. */
async function allPages({ client, file }: Service): Promise<ReadonlyMap<string, PageLike>> {
  if (import.meta.prerender) {
    if (pages.size > 0) return pages;
    const { keptPages } = await import("./kept-pages.ts");
    for (const { path, page } of keptPages(file)) pages.set(path, page);
    return pages;
  }
  const manifest = await client.changed(hashes, ({ path, hash }, page) => {
    hashes.set(path, hash);
    pages.set(path, page);
  });
  const paths = new Set(manifest.urls.map(({ path }) => path));
  for (const path of [...pages.keys()].filter((each) => !paths.has(each))) {
    pages.delete(path);
    hashes.delete(path);
  }
  return pages;
}
