/** Values that are not saved, under a key for the front end in the frame of the editor; and the paths of fields. */
import { expect, it } from "vitest";
import { previewPolicy } from "../../../src/render/page-headers.ts";
import { keptPreviewsOf } from "../../../src/http/public/kept-previews.ts";
import { clockAt, memorySite, writeTemplate, type Answer } from "../../site.ts";

const MODEL = {
  "content/page-models/room.yaml": `schema:
  - { name: lead }
  - { name: about, kind: text }
  - { name: photo, kind: media }
  - { name: beds, kind: list, children: [{ name: kind }, { name: note, kind: textarea }] }
  - { name: slogan, translated: true }
  - { name: sections, kind: blocks }
`,
  "content/block-types/quote.yaml": "schema:\n  - { name: words, multiline: true }\n  - { name: by }\n",
};

async function site() {
  const made = await memorySite(MODEL, { PREVIEW: { SITES: [{ URL: "https://front.example", PATH: "" }] } });
  const { id } = await made.page({ title: "About", permalink: "/about", autopermalink: false }, ["en"]);
  await made.page({ title: "Other", permalink: "/other", autopermalink: false }, ["en"]);
  const keep = (body: object, at = `pages/${id}`) => made.api("POST", `${at}/live-preview/?paths=1`, body);
  /** As the server of a front end asks: without an account. */
  const read = (path: string, key: string, query = ""): Promise<Answer> =>
    made.ask("GET", `api:pages-router-preview/${path}?key=${key}${query}`, { as: null });
  return { ...made, id, keep, read };
}

it("a key shows one page, as it is typed, to who has it, and to no one after a minute", async () => {
  const { keep, read, clock, repo, ask, id } = await site();
  const { head } = await repo.state();
  const { key, page } = await keep({ title: "Typed" });
  const { paths, ...plain } = page;
  expect(paths).toMatchObject({ title: "string" });
  const shown = await read("about/", key);
  expect([shown.status, shown.body]).toEqual([200, { ...plain }]);
  expect(shown.body).toMatchObject({ title: "Typed", draft_data: {} });
  expect(shown.headers.get("cache-control")).toBe("no-store, private");
  expect((await read("about/", key, "&paths=1")).body.paths).toEqual(paths);
  expect((await read("about/", key, "&fields=title")).body).not.toHaveProperty("description");
  // The public page, other pages and languages, writes, and other routes are as without the key.
  expect((await ask("GET", `api:pages-router/about/?key=${key}`, { as: null })).body.title).toBe("About");
  for (const path of ["other/", "it/about/", "nowhere/"])
    expect([path, (await read(path, key)).status]).toEqual([path, 404]);
  for (const route of [
    `pages/${id}/?key=${key}`,
    `pages/${id}/render/?key=${key}`,
    `pages/${id}/live-preview/?key=${key}`,
  ])
    expect([route, (await ask("GET", `api:${route}`, { as: null })).status]).toEqual([route, 401]);
  expect((await ask("POST", `api:pages-router-preview/about/?key=${key}`, { as: null, body: {} })).status).toBe(401);
  for (const wrong of ["", "x", `${key}x`, key.slice(1), "__proto__"])
    expect((await read("about/", wrong)).status).toBe(404);
  // A token may what it may, with the values of a key that holds.
  const title = async (sent: string): Promise<string> =>
    (await ask("GET", `api:pages-router-preview/about/?key=${sent}`, { as: "reader" })).body.title;
  expect([await title(key), await title("x"), await title("")]).toEqual(["Typed", "About", "About"]);
  clock.tick(59_000);
  expect((await read("about/", key)).status).toBe(200);
  clock.tick(1_000);
  expect((await read("about/", key)).status).toBe(404);
  expect((await repo.state()).head).toBe(head);
});

it("a key widens no rule of other origins", async () => {
  const { keep, ask } = await site();
  const { key } = await keep({ title: "Typed" });
  const headers = { origin: "https://front.example" };
  const answer = await ask("GET", `api:pages-router-preview/about/?key=${key}`, { as: null, headers });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect((await ask("GET", "api:preview-sites/", { as: "reader", headers })).status).toBe(403);
});

it("what is not valid yet is not kept", async () => {
  const { ask, id } = await site();
  const answer = await ask("POST", `api:pages/${id}/live-preview/`, { as: "staff", body: { ordering: "x" } });
  expect(answer).toMatchObject({ status: 400, body: { ordering: [expect.any(String)] } });
});

it("the service's own preview shows what is kept, with the bridge", async () => {
  const made = await site();
  writeTemplate(made, "defaults/pages/default.html", "<body><h1>{{ page.title }}</h1></body>");
  const { key } = await made.keep({ title: "Typed" });
  const see = async (query: string) =>
    (await made.ask("GET", `api:pages/${made.id}/render/?language=en${query}`, { as: "staff" })).text;
  expect(await see(`&key=${key}`)).toBe(
    '<body><h1>Typed</h1><script src="/api/cms/bridge.js" data-refresh></script></body>',
  );
  expect(await see("&key=x")).toContain("<h1>About</h1><script");
  expect(await see("")).toBe("<body><h1>About</h1></body>");
});

// oxfmt-ignore
it.each([
  ["default-src 'self'",                             "default-src 'self'"],
  ["default-src 'none'; style-src 'self'",           "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'"],
  ["script-src 'none';",                             "script-src 'self'"],
  ["default-src https:; SCRIPT-SRC 'nonce-a' x.org", "default-src https:; script-src 'nonce-a' x.org 'self'; connect-src https: 'self'"],
  ["img-src 'none'",                                 "img-src 'none'"],
])("the policy %s lets the bridge run in previews", (policy, expected) => expect(previewPolicy(policy)).toBe(expected));

it("the paths of fields are those of the payload, with their kinds, on request", async () => {
  const { api, keep } = await site();
  const template_data = {
    lead: "Sea view",
    beds: [{ kind: "double" }, { kind: "single", note: "By the window" }],
    slogan: { en: "Stay", it: "Resta" },
    sections: [
      { type: "quote", words: "So", by: "Ada" },
      { type: "quote", hidden: true },
    ],
  };
  const { id } = await api("POST", "pages/", { model: "room", title: "Room", template_data });
  const { page } = await keep({}, `pages/${id}`);
  const within = Object.entries(page.paths).filter(([path]) => path.startsWith("template_data."));
  expect(Object.fromEntries(within.map(([path, kind]) => [path.slice("template_data.".length), kind]))).toEqual({
    lead: "string",
    about: "text",
    photo: "media",
    beds: "list",
    "beds.0.kind": "string",
    "beds.0.note": "textarea",
    "beds.1.kind": "string",
    "beds.1.note": "textarea",
    "slogan.en": "string",
    "slogan.it": "string",
    sections: "blocks",
    ...Object.fromEntries(
      [0, 1].flatMap((at) => [
        [`sections.${at}.type`, "select"],
        [`sections.${at}.id`, "string"],
        [`sections.${at}.hidden`, "boolean"],
        [`sections.${at}.words`, "text"],
        [`sections.${at}.by`, "string"],
      ]),
    ),
  });
  expect(page.paths).not.toHaveProperty("permalink");
  expect((await api("GET", `pages/${id}/preview/?paths=1`)).paths).toEqual(page.paths);
  expect(await api("GET", `pages/${id}/preview/`)).not.toHaveProperty("paths");
  expect(await api("GET", `pages/${id}/?paths=1`)).not.toHaveProperty("paths");
});

it("of values that are too many together, the oldest go", () => {
  const previews = keptPreviewsOf({});
  const now = clockAt("2026-03-01T12:00:00Z").now();
  const kept = { store: {} as never, now, length: 12_000_000 };
  const keys = [1, 2, 3].map((id) => previews.add({ id } as never, "en" as never, kept));
  expect(keys.map((key) => previews.find(key, now)?.page.id)).toEqual([undefined, 2, 3]);
});
