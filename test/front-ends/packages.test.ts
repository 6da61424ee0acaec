/** What the packages for tools do with what the client fetches; test/examples.test.ts runs them in their tools. */
import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cmsPages } from "../../src/front-ends/astro.ts";
import type { SiteManifest } from "../../src/front-ends/client.ts";
import { filesClient } from "../../src/front-ends/files.ts";
import { fetchPages, keptPages } from "../../src/front-ends/kept-pages.ts";
import {
  cachedClient,
  changedTags,
  onChange,
  pathOfSegments,
  pictureProps,
  staticParams,
} from "../../src/front-ends/next.ts";
import { emptyFolder } from "../cli/process.ts";

const manifestOf = (
  epoch: string,
  hashes: Record<string, string>,
  redirects: SiteManifest["redirects"] = [],
): SiteManifest => ({
  epoch,
  urls: Object.entries(hashes).map(([path, hash]) => ({ path, hash, language_code: "en" })),
  redirects,
});

/** A service whose manifest can be changed; payloads name their path and hash. */
function serviceOf(first: SiteManifest) {
  const asked: { path: string; init: any }[] = [];
  const service = {
    manifest: first,
    asked,
    fetch: async (input: unknown, init?: unknown): Promise<Response> => {
      const path = new URL(String(input)).pathname.slice("/api/cms/".length);
      asked.push({ path, init });
      if (path === "pages-router/changes") return Response.json(service.manifest);
      const page = path.slice("pages-router".length);
      const entry = service.manifest.urls.find((each) => each.path === page);
      return entry ? Response.json({ routerlink: page, version: entry.hash }) : new Response(null, { status: 404 });
    },
  };
  return service;
}

describe("the content loader of Astro", () => {
  /** Loads into a store, and answers its entries with the paths that were fetched. */
  async function load(service: ReturnType<typeof serviceOf>, store: Map<string, any>) {
    service.asked.length = 0;
    await cmsPages({ url: "http://cms.test", fetch: service.fetch }).load({
      store: {
        get: (id) => store.get(id),
        set: (entry) => Boolean(store.set(entry.id, entry)),
        delete: (id) => void store.delete(id),
        keys: () => [...store.keys()],
      },
      logger: { info() {} },
      parseData: async ({ data }) => data,
    });
    const fetched = service.asked.map(({ path }) => path).filter((path) => !path.endsWith("changes"));
    return { fetched, entries: [...store.values()].map(({ id, digest, data }) => [id, digest, data.version]) };
  }

  it("fetches what changed, drops what is gone, and gives a digest that moves with the epoch too", async () => {
    const service = serviceOf(manifestOf("e1", { "/": "1", "/a/": "1", "/b/": "1" }));
    const store = new Map();
    expect(await load(service, store)).toEqual({
      fetched: ["pages-router/", "pages-router/a/", "pages-router/b/"],
      entries: [
        ["/", "1 e1", "1"],
        ["/a/", "1 e1", "1"],
        ["/b/", "1 e1", "1"],
      ],
    });
    service.manifest = manifestOf("e1", { "/": "1", "/a/": "2" });
    expect(await load(service, store)).toEqual({
      fetched: ["pages-router/a/"],
      entries: [
        ["/", "1 e1", "1"],
        ["/a/", "2 e1", "2"],
      ],
    });
    service.manifest = manifestOf("e2", { "/": "1", "/a/": "2" });
    expect(await load(service, store)).toEqual({
      fetched: [],
      entries: [
        ["/", "1 e2", "1"],
        ["/a/", "2 e2", "2"],
      ],
    });
  });
});

describe("pages that are kept in a file", () => {
  it("are fetched once, and again when their hash is another one", async () => {
    const file = join(emptyFolder(), "deep/pages.json");
    const service = serviceOf(manifestOf("e", { "/a/": "1", "/b/": "1" }));
    const client = cachedClient({ url: "http://cms.test", fetch: service.fetch });
    expect((await fetchPages(client, file)).fetched).toBe(2);
    service.manifest = manifestOf("e", { "/b/": "2" });
    expect((await fetchPages(client, file)).fetched).toBe(1);
    expect(keptPages(file)).toEqual([{ path: "/b/", hash: "2", page: { routerlink: "/b/", version: "2" } }]);
  });
});

describe("the cache of Next", () => {
  const cacheOf = (asked: { init: any }[]) => asked.map(({ init }) => [init.next?.tags, init.headers["X-Cms-Cache"]]);

  it("keeps a payload under its hash and the tag of its path, and what pages share under a tag of its own", async () => {
    const service = serviceOf(manifestOf("e", { "/a/": "h1" }));
    const client = cachedClient({ url: "http://cms.test", fetch: service.fetch });
    await client.page("/a/");
    await client.page("/new/");
    await client.manifest();
    const [[, process], ...rest] = cacheOf(service.asked) as [[unknown, string], ...unknown[]];
    expect(rest).toEqual([
      [["cms:/a/"], "h1"],
      [["cms:/new/"], ""],
      [["cms:list"], process],
    ]);
    expect(process.length).toBeGreaterThan(10);
    expect(service.asked.every(({ init }) => init.cache === "force-cache")).toBe(true);
  });

  it("never has a draft", async () => {
    const service = serviceOf(manifestOf("e", {}));
    await cachedClient({ url: "http://cms.test", fetch: service.fetch }).draft("/a/");
    expect(service.asked.map(({ init }) => [init.cache, init.next])).toEqual([["no-store", undefined]]);
  });

  const before = manifestOf("e", { "/": "1", "/a/": "1", "/gone/": "1" }, [{ from: "/old/", to: "/a/", status: 301 }]);
  it.each<[string, SiteManifest, string[]]>([
    ["nothing", before, []],
    ["a page", { ...before, urls: [...before.urls.slice(0, 2), { ...before.urls[2]!, hash: "2" }] }, ["cms:/gone/"]],
    ["a menu", { ...before, epoch: "f" }, ["cms"]],
    [
      "a page that is new",
      { ...before, urls: [...before.urls, { path: "/n/", hash: "1", language_code: "en" }] },
      ["cms:/n/", "cms:list"],
    ],
    ["a page that is gone", { ...before, urls: before.urls.slice(0, 2) }, ["cms:/gone/", "cms:list"]],
    [
      "a redirect that leads elsewhere",
      { ...before, redirects: [{ from: "/old/", to: "/", status: 301 }] },
      ["cms:/old/"],
    ],
    ["a redirect that is gone", { ...before, redirects: [] }, ["cms:/old/"]],
  ])("drops the tags of %s", (_, after, tags) => expect(changedTags(before, after)).toEqual(tags));

  it("drops what changed when the hook comes, with its signature alone", async () => {
    const service = serviceOf(manifestOf("e", { "/a/": "1", "/b/": "1" }));
    const dropped: string[] = [];
    const options = { url: "http://cms.test", fetch: service.fetch, secret: "s" };
    const handler = onChange({ ...options, revalidateTag: (tag) => void dropped.push(tag) });
    const post = (signature: string) =>
      handler(
        new Request("http://front.test/", {
          method: "POST",
          body: "{}",
          headers: { "X-Cms-Signature-256": signature },
        }),
      );
    const signature = `sha256=${createHmac("sha256", "s").update("{}").digest("hex")}`;
    expect((await post("sha256=00")).status).toBe(401);
    expect((await post("")).status).toBe(401);
    const long = new Request("http://front.test/", { method: "POST", body: "x".repeat(1_000_001) });
    expect((await handler(long)).status).toBe(413);
    expect(service.asked).toEqual([]);
    await post(signature);
    service.manifest = manifestOf("e", { "/a/": "2", "/b/": "1" });
    expect(await (await post(signature)).json()).toEqual({ changed: ["cms:/a/"] });
    expect(dropped).toEqual(["cms:/a/"]);
  });

  it("has the segments of each public path", async () => {
    const service = serviceOf(manifestOf("e", { "/": "1", "/it/perch%C3%A9/": "1" }));
    expect(await staticParams({ url: "http://cms.test", fetch: service.fetch })).toEqual([
      { path: [] },
      { path: ["it", "perché"] },
    ]);
    expect([pathOfSegments(), pathOfSegments([]), pathOfSegments(["it", "a"])]).toEqual(["/", "/", "/it/a/"]);
  });

  it("names attributes of pictures as React does", () => {
    const renditions = {
      a: { url: "/a.webp", width: 10, format: "webp" },
      b: { url: "/b.jpg", width: 10, format: "original" },
    };
    expect(pictureProps({ file: "/f.jpg", image_props: {}, renditions })).toEqual({
      sources: [{ type: "image/webp", srcSet: "/a.webp 10w", sizes: "100vw" }],
      img: { src: "/f.jpg", srcSet: "/b.jpg 10w", sizes: "100vw", alt: "", loading: "lazy" },
    });
  });
});

describe("the client of files", () => {
  /** A folder as `cms build --data-only` writes it, and a client of it. */
  function site() {
    const folder = join(emptyFolder(), "data");
    const write = (file: string, value: unknown): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), JSON.stringify(value));
    };
    write("index.json", { routerlink: "/", language: "en" });
    write("it/chi/index.json", { routerlink: "/it/chi/", language: "it" });
    write("redirects.json", [{ from: "/old/", to: "/", status: 301 }]);
    write("_data/languages.json", [{ id: "en", name: "English" }]);
    write("_data/en/menus.json", { main: { nodes: [] } });
    write("../outside/index.json", { secret: true });
    return { client: filesClient(folder), write };
  }

  it("reads pages, menus, languages and redirects", async () => {
    const { client, write } = site();
    const { urls, redirects, epoch } = await client.manifest();
    expect(urls.map(({ path, language_code }) => [path, language_code])).toEqual([
      ["/", "en"],
      ["/it/chi/", "it"],
    ]);
    expect(redirects).toEqual([{ from: "/old/", to: "/", status: 301 }]);
    expect(await client.page("/it/chi/")).toEqual({ routerlink: "/it/chi/", language: "it" });
    expect(await client.page("/none/")).toBeNull();
    expect(await client.menu("main", "en")).toEqual({ nodes: [] });
    expect(await client.languages()).toEqual([{ id: "en", name: "English" }]);
    write("_data/en/menus.json", { main: { nodes: [1] } });
    expect((await client.manifest()).epoch).not.toBe(epoch);
  });

  it.each(["/../outside/", "/it/../../outside/", "/..\\outside/"])(
    "reads nothing outside of its folder: %s",
    async (path) => expect(await site().client.page(path)).toBeNull(),
  );
});
