/** Other origins, and OPTIONS and HEAD. */
import { describe, expect, it } from "vitest";
import { memorySite, type Role } from "../../site.ts";

const FRIEND = "https://editor.example";
const trusting = () => memorySite({}, { TRUSTED_ORIGINS: [FRIEND] });
const preflight = { "access-control-request-method": "PATCH", "access-control-request-headers": "x-csrftoken" };

describe("a preflight", () => {
  it.each([
    "pages/",
    "pages/1/",
    "pages/1/draft/",
    "users/",
    "pages-router/changes",
    "pages-router/publish-due",
    "pages-router-preview/x/",
  ])("of a trusted origin is answered without credentials: %s", async (path) => {
    const { ask } = await trusting();
    const { status, headers, text } = await ask("OPTIONS", `api:${path}`, {
      headers: { origin: FRIEND, ...preflight },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe(FRIEND);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("access-control-allow-methods")).toBe(headers.get("allow"));
    expect(headers.get("access-control-allow-headers")).toMatch(/authorization.*if-match.*x-csrftoken/);
    expect(headers.get("vary")).toContain("Origin");
  });

  it.each([
    "https://evil.example",
    `${FRIEND}.evil.example`,
    "https://editor.example:8443",
    "http://editor.example",
    "null",
    `${FRIEND}/`,
    FRIEND.toUpperCase(),
    "*",
  ])("of %s is an anonymous OPTIONS like any other", async (origin) => {
    const { ask } = await trusting();
    const { status, headers } = await ask("OPTIONS", "api:pages/", { headers: { origin, ...preflight } });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, null]);
  });

  it("of any origin is, without trusted origins", async () => {
    const { ask } = await memorySite();
    const { status, headers } = await ask("OPTIONS", "api:pages/", { headers: { origin: FRIEND, ...preflight } });
    expect([status, headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([401, null, null]);
  });
});

describe("an answer", () => {
  it.each([
    ["GET", "api:languages/", 200],
    ["GET", "api:pages/", 401],
    ["GET", "api:nothing/", 404],
    ["GET", "api:pages-router/nothing/", 404],
    ["POST", "api:token-auth/", 400],
  ])("to a trusted origin has CORS headers: %s %s", async (method, path, status) => {
    const { ask } = await trusting();
    const friendly = await ask(method, path, { headers: { origin: FRIEND } });
    expect([friendly.status, friendly.headers.get("access-control-allow-origin")]).toEqual([status, FRIEND]);
    expect(friendly.headers.get("access-control-expose-headers")).toContain("etag");
    for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
      const other = await ask(method, path, { headers });
      expect([other.headers.get("access-control-allow-origin"), other.headers.get("vary")?.includes("Origin")]).toEqual(
        [null, true],
      );
    }
  });

  it("from the router's cache has them too", async () => {
    const { ask, page } = await trusting();
    await page({ title: "About" }, ["en"]);
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await ask("GET", "api:pages-router/about/", { headers: { origin: FRIEND } });
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, FRIEND]);
    }
    expect((await ask("GET", "api:pages-router/about/")).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("OPTIONS", () => {
  // oxfmt-ignore
  it.each<[string, Role | null, number]>([
    ["languages/",               null,        200],
    ["pages-router/about/",      null,        200],
    ["token-auth/",              null,        200],
    ["pages/",                   null,        401],
    ["pages/",                   "reader",    200], // callers who may read
    ["pages/bulk_delete/",       null,        401],
    ["pages/bulk_delete/",       "reader",    200],
    ["pages/1/publish/",         "reader",    403], // staff only, whatever the method
    ["pages/1/publish/",         "staff",     200],
    ["pages-router/publish-due", "reader",    403],
    ["pages-router/publish-due", "superuser", 200],
    ["pages-router-preview/x/",  null,        401],
    ["pages-router-preview/x/",  "reader",    200],
    ["nothing/",                 null,        404],
  ])("%s as %s is %i", async (path, as, status) => {
    const { ask } = await memorySite();
    const answer = await ask("OPTIONS", `api:${path}`, { as });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toMatchObject({ renders: ["application/json"], parses: expect.any(Array) });
  });

  it.each([
    ["api:pages/", "GET, POST, HEAD, OPTIONS"],
    ["api:token-auth/", "POST, OPTIONS"],
    ["api:pages-router/x/", "GET, HEAD, OPTIONS"],
    ["/nothing/", "GET, HEAD, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"],
  ])("%s allows %s, and sends it with a 405", async (path, allow) => {
    const { ask } = await memorySite();
    const [asked, wrong] = [
      await ask("OPTIONS", path, { as: "superuser" }),
      await ask("PROPFIND", path, { as: "superuser" }),
    ];
    expect([asked.headers.get("allow"), wrong.status, wrong.headers.get("allow")]).toEqual([allow, 405, allow]);
  });
});

describe("HEAD", () => {
  it.each([
    "api:languages/",
    "api:pages/",
    "api:",
    "/healthz",
    "api:pages-router/about/",
    "/about/",
    "api:pages-router/nothing/",
    "/sitemap.xml",
  ])("%s is GET without its body", async (path) => {
    const { ask, page } = await memorySite();
    await page({ title: "About" }, ["en"]);
    const [get, head] = [await ask("GET", path, { as: "staff" }), await ask("HEAD", path, { as: "staff" })];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    for (const name of ["etag", "content-type", "cache-control", "allow"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
  });
});
