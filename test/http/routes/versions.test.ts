/** ETags on every single resource, against lost updates and repeated answers. */
import { describe, expect, it } from "vitest";
import { addUser } from "../../../src/actions/accounts/accounts.ts";
import { API_ROUTES } from "../../../src/http/routes/api-routes.ts";
import { memorySite, type Answer, type MemorySite } from "../../site.ts";

/** Creates one and returns its path; and a change to it. */
interface Resource {
  readonly make: (site: MemorySite) => Promise<string | number>;
  readonly change: (n: number, now: { readonly meta_type?: unknown }) => object;
  /** Files committed before. */
  readonly files?: Readonly<Record<string, string>>;
  /** The answer shows more than the record, so its version cannot validate a cached answer. */
  readonly isListing?: true;
}

const post =
  (path: string, body: object) =>
  async ({ ask }: MemorySite) =>
    (await ask("POST", `api:${path}/`, { as: "superuser", body })).body.id as number;
const upload =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nText\r\n--x--\r\n';
const metaType = { key: "hero", name: "Hero", schema: [{ name: "label", kind: "text" }] };

const RESOURCES: Readonly<Record<string, Resource>> = {
  "pages/:id": { make: post("pages", { title: "T" }), change: (n) => ({ title: `T${n}` }) },
  "models/:model/:id": {
    files: { "content/page-models/event.yaml": "schema: []\n" },
    make: async (site) => `event/${await post("models/event", { title: "T" })(site)}`,
    change: (n) => ({ title: `T${n}` }),
  },
  "articles/:id": { make: post("articles", { title: "T" }), change: (n) => ({ title: `T${n}` }) },
  "tags/:id": { make: post("tags", { name: "T" }), change: (n) => ({ name: `T${n}` }) },
  "menus/:key": {
    make: post("menus", { key: "main" }),
    change: (n) => ({
      key: `main${n}`,
      translations: { en: { nodes: [{ title: `N${n}`, link: { link_type: "ST", static: "/x" } }] } },
    }),
  },
  "contents/:id": {
    make: post("contents", { identifier: "hero" }),
    change: (n) => ({ identifier: "hero", content: `C${n}` }),
  },
  "media/:id": {
    make: async ({ ask }) =>
      (
        await ask("POST", "api:media/", {
          as: "superuser",
          body: upload,
          headers: { "content-type": "multipart/form-data; boundary=x" },
        })
      ).body.id,
    change: (n) => ({ title: `T${n}` }),
  },
  "media-folder/:id": {
    make: post("media-folder", { title: "F" }),
    change: (n) => ({ title: `F${n}` }),
    isListing: true,
  },
  "media-folders/:id": {
    make: post("media-folders", { title: "F" }),
    change: (n) => ({ title: `F${n}` }),
    isListing: true,
  },
  "meta-types/:id": { make: post("meta-types", metaType), change: (n) => ({ ...metaType, name: `Hero ${n}` }) },
  "meta-instances/:id": {
    make: async (site) =>
      post("meta-instances", { meta_type: await post("meta-types", metaType)(site), data: { label: "a" } })(site),
    change: (n, { meta_type }) => ({ meta_type, data: { label: `L${n}` } }),
  },
  "threads/:id": {
    make: async (site) => post("threads", { page: await post("pages", { title: "T" })(site), text: "Right?" })(site),
    change: (n) => ({ resolved: n % 2 === 1 }),
  },
  "users/:id": {
    make: async ({ cms }) => (await addUser(cms.accounts, { username: "anna", password: "correct horse" })).id,
    change: (n) => ({ username: "anna", first_name: `A${n}` }),
  },
};

/** Part of the program, or derived from a resource with a version. */
const DERIVED = ["permissions/:id", "menus-router/:key"];

const single = API_ROUTES.filter(
  ({ method, path }) => method === "GET" && /^[\w-]+(\/:model)?\/:(id|key)$/.test(path),
).map(({ path }) => path);

describe("every single resource", () => {
  it("is in the table", () => {
    expect([...Object.keys(RESOURCES), ...DERIVED].sort()).toEqual([...single].sort());
  });
});

describe.each(Object.entries(RESOURCES))("%s", (path, { make, change, files, isListing }) => {
  const writes = API_ROUTES.filter((route) => route.path === path && ["PUT", "PATCH"].includes(route.method)).map(
    ({ method }) => method,
  );
  const open = async () => {
    const site = await memorySite(files);
    const at = `api:${path.replace(/:[\w/:]+/, String(await make(site)))}/`;
    const ask = (method: string, headers: Record<string, string> = {}, body?: object): Promise<Answer> =>
      site.ask(method, at, { as: "superuser", headers, body });
    return { site, ask };
  };

  it(`has a strong version${isListing ? "" : ", and a 304 for it"}`, async () => {
    const { ask } = await open();
    const first = await ask("GET");
    const etag = first.headers.get("etag")!;
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await ask("GET", { "if-none-match": known });
      expect([known, again.status, again.headers.get("etag")]).toEqual([known, isListing ? 200 : 304, etag]);
    }
    expect((await ask("GET", { "if-none-match": '"other"' })).status).toBe(200);
    expect((await ask("HEAD")).headers.get("etag")).toBe(etag);
  });

  it.each(writes)(
    "two editors: the second %s is 412 with the current version; without If-Match it goes through",
    async (method) => {
      const { site, ask } = await open();
      const read = await ask("GET");
      const etag = read.headers.get("etag")!;
      const first = await ask(method, { "if-match": etag }, change(1, read.body));
      expect([first.status, first.headers.get("etag") !== etag]).toEqual([200, true]);
      const before = [site.cms.store.current.commit, await site.cms.accounts.store.list()];
      const second = await ask(method, { "if-match": etag }, change(2, read.body));
      expect([second.status, second.body]).toEqual([
        412,
        { detail: expect.any(String), current: first.headers.get("etag")!.slice(1, -1) },
      ]);
      expect([site.cms.store.current.commit, await site.cms.accounts.store.list()]).toEqual(before);
      expect((await ask(method, { "if-match": first.headers.get("etag")! }, change(2, read.body))).status).toBe(200);
      expect((await ask(method, {}, change(3, read.body))).status).toBe(200);
      expect((await ask(method, { "if-match": "*" }, change(4, read.body))).status).toBe(200);
      expect((await ask(method, { "if-match": "" }, change(5, read.body))).status).toBe(412);
    },
  );

  const isDeletable = API_ROUTES.some((route) => route.path === path && route.method === "DELETE");
  it.runIf(isDeletable)("is not deleted with a stale version", async () => {
    const { ask } = await open();
    const etag = (await ask("GET")).headers.get("etag")!;
    expect((await ask("DELETE", { "if-match": '"other"' })).status).toBe(412);
    expect((await ask("DELETE", { "if-match": etag })).status).toBe(204);
    expect((await ask("GET", { "if-none-match": etag })).status).toBe(404);
  });
});

describe("public answers", () => {
  it.each([
    "/about/",
    "api:pages-router/about/",
    "api:languages/",
    "api:menus-router/main",
    "/sitemap.xml",
    "api:openapi",
  ])("%s is a 304 for a known ETag", async (path) => {
    const site = await memorySite({ "templates/t.html": "x" });
    await post("menus", { key: "main" })(site);
    await site.page({ title: "About" }, ["en"]);
    const { mkdirSync, writeFileSync } = await import("node:fs");
    mkdirSync(`${site.repo.root}/templates/defaults/pages`, { recursive: true });
    writeFileSync(`${site.repo.root}/templates/defaults/pages/default.html`, "{{ page.title }}");
    const first = await site.ask("GET", path);
    const etag = first.headers.get("etag")!;
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    for (const method of ["GET", "HEAD"]) {
      const again = await site.ask(method, path, { headers: { "if-none-match": etag } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    }
  });
});
