/** A valid request for every route that writes content, on a site that has what it is about. */
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../src/http/public/routers.ts";
import type { MemorySite } from "../site.ts";

/** Path parameters, query and body. */
export interface AskedWrite {
  readonly query?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly form?: string;
}

const UPLOAD =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nText\r\n--x--\r\n';
const META_TYPE = { key: "hero", name: "Hero", schema: [{ name: "label", kind: "text" }] };

type Make = (site: MemorySite) => Promise<AskedWrite>;

const post = async ({ api }: MemorySite, path: string, body: object): Promise<number> =>
  (await api("POST", `${path}/`, body)).id;
const upload = async ({ ask }: MemorySite): Promise<number> =>
  (
    await ask("POST", "api:media/", {
      as: "staff",
      body: UPLOAD,
      headers: { "content-type": "multipart/form-data; boundary=x" },
    })
  ).body.id;

/** A record of the resource, and the body to send. */
const one =
  (path: string, made: object, body?: object): Make =>
  async (site) => ({ params: { id: await post(site, path, made) }, body });
const sent =
  (body: object): Make =>
  async () => ({ body });

/** @param shown the path as in the route table */
const page = (path: string, shown = path): Record<string, Make> => {
  const drafted: Make = async (site) => {
    const id = await post(site, path, { title: "T" });
    await site.api("PUT", `${path}/${id}/draft/`, { title: "D" });
    return { params: { id } };
  };
  return {
    [`POST ${shown}`]: sent({ title: "T" }),
    [`POST ${shown}/bulk_delete`]: async (site) => ({ body: [await post(site, path, { title: "T" })] }),
    [`POST ${shown}/update_order`]: async (site) => ({
      body: { startId: await post(site, path, { title: "A" }), endId: await post(site, path, { title: "B" }) },
    }),
    [`PUT ${shown}/:id`]: one(path, { title: "T" }, { title: "U" }),
    [`PATCH ${shown}/:id`]: one(path, { title: "T" }, { title: "U" }),
    [`DELETE ${shown}/:id`]: one(path, { title: "T" }),
    [`PATCH ${shown}/:id/draft`]: one(path, { title: "T" }, { title: "U" }),
    [`PUT ${shown}/:id/draft`]: one(path, { title: "T" }, { title: "U" }),
    [`POST ${shown}/:id/discard-draft`]: drafted,
    [`POST ${shown}/:id/publish`]: one(path, { title: "T" }),
    [`POST ${shown}/:id/schedule`]: async (site) => ({
      ...(await drafted(site)),
      body: { publish_at: "2027-01-01T00:00:00Z" },
    }),
    [`POST ${shown}/:id/trash`]: one(path, { title: "T" }),
    [`POST ${shown}/:id/restore`]: async (site) => {
      const id = await post(site, path, { title: "T" });
      await site.api("POST", `${path}/${id}/trash/`);
      return { params: { id } };
    },
    [`POST ${shown}/:id/revert/:version`]: async (site) => {
      const id = await post(site, path, { title: "T" });
      const version = site.cms.store.current.commit;
      await site.api("PATCH", `${path}/${id}/`, { title: "U" });
      return { params: { id, version } };
    },
  };
};

const folder = (path: string): Record<string, Make> => ({
  [`POST ${path}`]: sent({ title: "F" }),
  [`PUT ${path}/:id`]: one(path, { title: "F" }, { title: "G" }),
  [`PATCH ${path}/:id`]: one(path, { title: "F" }, { title: "G" }),
  [`DELETE ${path}/:id`]: one(path, { title: "F" }),
});

const instance: Make = async (site) => {
  const meta_type = await post(site, "meta-types", META_TYPE);
  return {
    params: { id: await post(site, "meta-instances", { meta_type, data: { label: "a" } }) },
    body: { meta_type, data: { label: "b" } },
  };
};
const media =
  (body?: object): Make =>
  async (site) => ({ params: { id: await upload(site) }, body });

const blockType =
  (body?: object): Make =>
  async (site) => {
    await post(site, "block-types", { name: "quote" });
    return { params: { name: "quote" }, body };
  };

const release =
  (body?: object, ...actions: readonly string[]): Make =>
  async (site) => {
    const page = await post(site, "pages", { title: "T" });
    await site.api("POST", "releases/", { name: "spring", items: [{ page, language: "en", action: "publish" }] });
    for (const action of actions) await site.api("POST", `releases/spring/${action}/`, {});
    return { params: { name: "spring" }, body };
  };

/** A thread by the account that asks. */
const thread =
  (body?: object): Make =>
  async (site) => {
    const page = await post(site, "pages", { title: "T" });
    const asked = { as: "superuser", body: { page, text: "Right?" } } as const;
    const made = (await site.ask("POST", "api:threads/", asked)).body;
    return { params: { id: made.id, comment: made.comments[0].id }, body };
  };

/** A review of the account that asks, of a draft by another. */
const review =
  (body?: object): Make =>
  async (site) => {
    const page = await post(site, "pages", { title: "T" });
    const asked = { as: "superuser", body: { items: [{ page }] } } as const;
    const { name, hash } = (await site.ask("POST", "api:reviews/", asked)).body;
    return { params: { name }, body: body && { ...body, hash } };
  };

export const WRITES: Readonly<Record<string, Make>> = {
  ...page("pages"),
  ...page("articles"),
  ...page("models/event", "models/:model"),
  ...folder("media-folder"),
  ...folder("media-folders"),
  "POST tags": sent({ name: "T" }),
  "POST tags/bulk_delete": async (site) => ({ body: [await post(site, "tags", { name: "T" })] }),
  "PUT tags/:id": one("tags", { name: "T" }, { name: "U" }),
  "PATCH tags/:id": one("tags", { name: "T" }, { name: "U" }),
  "DELETE tags/:id": one("tags", { name: "T" }),
  "POST menus": sent({ key: "main" }),
  "PUT menus/:key": async (site) => ({
    params: { key: await post(site, "menus", { key: "main" }) },
    body: { key: "other" },
  }),
  "PATCH menus/:key": async (site) => ({
    params: { key: await post(site, "menus", { key: "main" }) },
    body: { enabled: false },
  }),
  "DELETE menus/:key": async (site) => ({ params: { key: await post(site, "menus", { key: "main" }) } }),
  "POST contents": sent({ identifier: "hero", content: "C" }),
  "POST contents/bulk_delete": async (site) => ({ body: [await post(site, "contents", { identifier: "hero" })] }),
  "POST contents/get-or-create": sent({ identifier: "hero", content: "C" }),
  "PUT contents/:id": one("contents", { identifier: "hero" }, { identifier: "hero", content: "D" }),
  "PATCH contents/:id": one("contents", { identifier: "hero" }, { content: "D" }),
  "DELETE contents/:id": one("contents", { identifier: "hero" }),
  "PATCH contents/:id/djsuperadmin": one("contents", { identifier: "hero" }, { content: "D" }),
  "POST media": async () => ({ form: UPLOAD }),
  "POST media/bulk_delete": async (site) => ({ body: [await upload(site)] }),
  "PUT media/:id": media({ title: "T" }),
  "PATCH media/:id": media({ title: "T" }),
  "DELETE media/:id": media(),
  "POST media/:id/regenerate-renditions": media(),
  "POST media/:id/trash": media(),
  "POST media/:id/restore": media(),
  "POST block-types": sent({ name: "quote" }),
  "PUT block-types/:name": blockType({ name: "quote", label: "Q" }),
  "PATCH block-types/:name": blockType({ label: "Q" }),
  "DELETE block-types/:name": blockType(),
  "POST meta-types": sent(META_TYPE),
  "PUT meta-types/:id": one("meta-types", META_TYPE, { ...META_TYPE, name: "Other" }),
  "PATCH meta-types/:id": one("meta-types", META_TYPE, { name: "Other" }),
  "DELETE meta-types/:id": one("meta-types", META_TYPE),
  "POST meta-instances": async (site) => ({
    body: { meta_type: await post(site, "meta-types", META_TYPE), data: { label: "a" } },
  }),
  "PUT meta-instances/:id": instance,
  "PATCH meta-instances/:id": instance,
  "DELETE meta-instances/:id": instance,
  "POST redirects": sent({ from: "/old", to: "/new" }),
  "DELETE redirects": async (site) => {
    await site.api("POST", "redirects/", { from: "/old", to: "/new" });
    return { query: "?from=/old" };
  },
  "PUT roles": sent({ roles: { elsewhere: { rules: [{ may: ["view"] }] } } }),
  "POST releases": sent({ name: "spring", items: [] }),
  "PUT releases/:name": release({ comment: "C", items: [] }),
  "PATCH releases/:name": release({ comment: "C" }),
  "DELETE releases/:name": release(),
  "POST releases/:name/publish": release({}),
  "POST releases/:name/schedule": release({ publish_at: "2027-01-01T00:00:00Z" }),
  "POST releases/:name/revert": release({}, "publish"),
  "POST reviews": async (site) => ({ body: { items: [{ page: await post(site, "pages", { title: "T" }) }] } }),
  "POST reviews/:name/decide": review({ verdict: "approve" }),
  "DELETE reviews/:name": review(),
  "POST threads": async (site) => ({ body: { page: await post(site, "pages", { title: "T" }), text: "Right?" } }),
  "PATCH threads/:id": thread({ resolved: true }),
  "POST threads/:id/comments": thread({ text: "Yes" }),
  "PATCH threads/:id/comments/:comment": thread({ text: "Really?" }),
  "DELETE threads/:id/comments/:comment": thread(),
  "POST pages-router/publish-due": sent({}),
};

/**
 * Accounts, sessions and permissions are not in snapshots; a sync answers with its state, a resolved conflict with 204. Typed
 * values that are kept or shown, who has a page open, preview links, and questions about a change, are no transaction.
 */
const isContent = (path: string): boolean =>
  !/^(users|auth|token-auth|permissions|sync|conflicts|preview-links)\b|\/(autosave|open|preview|live-preview|render|addresses|effects)$/.test(
    path,
  );
/** The routes that write content. */
export const WRITTEN = [...API_ROUTES, ...ROUTER_ROUTES]
  .filter(({ method, path }) => method !== "GET" && isContent(path))
  .map(({ method, path }) => `${method} ${path}`);

/** The files of the site that the requests are about. */
export const WRITE_FILES = { "content/page-models/event.yaml": "schema: []\n" };

/** The request of a route, below the API root. */
export function requestOf(route: string, { params = {}, query = "", body, form }: AskedWrite) {
  const [method, path] = route.split(" ") as [string, string];
  const target = path.replace(/:(\w+)/g, (_, name: string) => (name === "model" ? "event" : String(params[name])));
  const slash = path.startsWith("pages-router") ? "" : "/";
  return {
    method,
    path: `${target}${slash}${query}`,
    body: form ?? body,
    headers: { "content-type": form === undefined ? "application/json" : "multipart/form-data; boundary=x" },
  };
}
