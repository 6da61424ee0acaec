/** How the editor is served: its addresses, headers and settings. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import type { SettingsInput } from "../../../src/config.ts";
import { openAdminFiles } from "../../../src/http/routes/admin.ts";
import { h3App } from "../../../src/http/app/h3-app.ts";
import { memorySite } from "../../site.ts";

const HTML = '<!doctype html><base href="/"><script src="assets/main-1.js"></script>';

/** Asks a site whose editor has one script. */
async function editor(settings: SettingsInput = {}) {
  const dir = await mkdtemp(join(tmpdir(), "cms-admin-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, "assets"));
  await writeFile(join(dir, "assets/main-1.js"), "start();");
  await writeFile(join(dir, "index.html"), HTML);
  await writeFile(join(dir, "bridge.js"), "bridge();");
  const { cms } = await memorySite({}, settings);
  const admin = await openAdminFiles(dir, cms.config);
  const app = h3App(cms, { admin });
  return (path: string, headers: Record<string, string> = {}) =>
    app.request(new Request(`http://test.local${path}`, { headers }));
}

it("answers the address of every screen with one document, which no other site may frame", async () => {
  const ask = await editor();
  for (const path of ["/admin/", "/admin/pages", "/admin/pages/12?lang=it"]) {
    const answer = await ask(path);
    expect([answer.status, await answer.text()]).toEqual([200, HTML.replace('href="/"', 'href="/admin/"')]);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|\*/);
  }
});

it("sends files compressed to clients that accept it, for ever, and unchanged ones not again", async () => {
  const ask = await editor();
  const plain = await ask("/admin/assets/main-1.js");
  expect([plain.headers.get("content-type"), await plain.text()]).toEqual([
    "text/javascript; charset=utf-8",
    "start();",
  ]);
  expect(plain.headers.get("cache-control")).toContain("immutable");
  const packed = await ask("/admin/assets/main-1.js", { "accept-encoding": "gzip, br" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe("start();");
  for (const refused of ["gzip;q=0", "br", "*;q=0", "gzip; Q=0.0, *"]) {
    const unpacked = await ask("/admin/assets/main-1.js", { "accept-encoding": refused });
    expect([refused, unpacked.headers.get("content-encoding")]).toEqual([refused, null]);
  }
  expect((await ask("/admin/assets/main-1.js", { "accept-encoding": "*" })).headers.get("content-encoding")).toBe(
    "gzip",
  );
  const again = await ask("/admin/assets/main-1.js", { "if-none-match": plain.headers.get("etag")! });
  expect(again.status).toBe(304);
});

it.each([
  ["/admin/assets/other.js", 404],
  ["/admin/assets/..%2f..%2fpackage.json", 404],
  ["/admin", 302],
])("%s is %i", async (path, status) => {
  const answer = await (await editor())(path, { accept: "text/html" });
  expect(answer.status).toBe(status);
});

it("has the address of the settings", async () => {
  const ask = await editor({ ADMIN: { PATH: "/edit/" } });
  expect(await (await ask("/edit/pages")).text()).toContain('<base href="/edit/">');
  expect((await ask("/admin/")).status).toBe(404);
});

it.each(["/admin/", "/admin/pages/1", "/admin/%3Cscript%3E", "/admin/assets/none.js", "/admin/../admin/"])(
  "%s sets no cookie, keeps none that was planted, and reflects nothing",
  async (path) => {
    const ask = await editor();
    const planted = "A".repeat(43);
    const answer = await ask(`${path}?<script>alert(1)</script>`, {
      accept: "text/html",
      cookie: `sessionid=${planted}; csrftoken=${planted}`,
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("same-origin");
    expect(await answer.text()).not.toMatch(/alert|AAAA/);
  },
);

it("has a policy under which no inline or foreign script runs, and nothing can be sent elsewhere", async () => {
  const answer = await (await editor())("/admin/");
  const policy = new Map(
    answer.headers
      .get("content-security-policy")!
      .split("; ")
      .map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]),
  );
  for (const name of ["script-src", "style-src", "connect-src", "frame-src", "base-uri", "form-action"])
    expect([name, policy.get(name)]).toEqual([name, "'self'"]);
  expect([policy.get("default-src"), policy.get("frame-ancestors")]).toEqual(["'none'", "'none'"]);
  expect(policy.get("require-trusted-types-for")).toBe("'script'");
});

it("shows in frames the service itself and the front ends of the settings, by their origins alone", async () => {
  const sites = [
    { URL: "https://front.example", PATH: "/preview" },
    { URL: "https://front.example", PATH: "" },
    { URL: "http://127.0.0.1:4321/", PATH: "" },
  ];
  const answer = await (await editor({ PREVIEW: { SITES: sites } }))("/admin/");
  expect(answer.headers.get("content-security-policy")).toContain(
    "; frame-src 'self' https://front.example http://127.0.0.1:4321; ",
  );
});

it("has the bridge below the API, for every site to load, and checked again after a while", async () => {
  const ask = await editor();
  const answer = await ask("/api/cms/bridge.js", { origin: "https://front.example" });
  expect([answer.status, await answer.text()]).toEqual([200, "bridge();"]);
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect((await ask("/api/cms/bridge.js", { "if-none-match": answer.headers.get("etag")! })).status).toBe(304);
  expect((await ask("/api/cms/bridge-frame.js")).status).toBe(404);
});
