/** Stored XSS: no content becomes markup, and no upload runs on the site's origin. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { memorySite } from "../site.ts";
import { siteWithTemplates } from "./example.ts";

/** A tag, an end of either kind of attribute, and an entity. */
const MARK = `<xss onload='1'>q"q'q</script><!--&lt;`;

const TEXTS = [
  "title",
  "description",
  "og_title",
  "og_description",
  "og_type",
  "og_url",
  "canonical",
  "keywords",
  "breadcrumbs_title",
];

/** Unescaped occurrences: the tag, or a quote that ends an attribute. */
const leaks = (html: string): string[] =>
  [/<xss/i, /q"q/, /<\/script><!--/].filter((pattern) => pattern.test(html)).map(String);

describe("text", () => {
  it("of every field is escaped in every template", async () => {
    const site = await siteWithTemplates();
    const child = { title: `Child ${MARK}`, description: MARK, og_image: null };
    const data = {
      lead: MARK,
      body: MARK,
      sections: [{ title: MARK, text: MARK }],
      action: { label: MARK, to: MARK },
      [MARK]: MARK,
    };
    const templates = readdirSync(join(site.repo.root, "templates/pages")).map((name) => `pages/${name}`);
    for (const [n, template] of [undefined, "defaults/articles/default.html", ...templates].entries()) {
      const fields = Object.fromEntries(TEXTS.map((name) => [name, MARK]));
      const page = await site.page(
        { ...fields, ...(template && { template }), autopermalink: false, permalink: `/p${n}`, template_data: data },
        ["en"],
      );
      await site.page({ ...child, parent_page: page.id, autopermalink: false, permalink: `/p${n}/child` }, ["en"]);
      await site.api("PATCH", `pages/${page.id}/draft/`, { title: MARK });
      for (const path of [page.routerlink, `${page.routerlink}child/`, `/api/cms/pages/${page.id}/render/`]) {
        const { status, text } = await site.ask("GET", path, { as: path.startsWith("/api") ? "staff" : null });
        expect([path, status, leaks(text)]).toEqual([path, 200, []]);
        expect(text).toContain("&lt;xss");
      }
    }
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "\tjavascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>1</script>",
    "vbscript:x",
  ])("%j does not become a link", async (address) => {
    const menu = `key: main\nnodes:\n  en:\n    - title: T\n      link: { link_type: ST, static: ${JSON.stringify(address)} }\n`;
    const site = await siteWithTemplates({ "content/menus/main.yaml": menu });
    await site.page(
      { title: "About", template_data: { body: `[a](${address}) <${address}>`, action: { label: "Go", to: address } } },
      ["en"],
    );
    const { status, text } = await site.ask("GET", "/about/");
    expect(status).toBe(200);
    for (const [, href = ""] of text.matchAll(/<a\b[^>]*\bhref="([^"]*)"/gi))
      expect(href.replace(/[\s\p{Cc}]/gu, "")).not.toMatch(/^(javascript|vbscript|data):/i);
  });

  it.each([
    "/<xss>/",
    "/%3Cxss%3E/",
    "/it/%22%3E%3Cxss%3E/",
    "/?q=<xss>",
    "/api/cms/<xss>/",
    "/api/cms/pages/<xss>/",
    "/api/cms/pages-router/<xss>/",
  ])("%s is not reflected in the answer", async (path) => {
    const site = await siteWithTemplates();
    const { status, text, headers } = await site.ask("GET", path);
    expect([404, 401]).toContain(status);
    if (headers.get("content-type")!.startsWith("text/html")) expect(text).not.toMatch(/<xss/i);
    else expect(headers.get("content-type")).toMatch(/^application\/json/);
  });
});

describe("headers", () => {
  it("forbid inline scripts and framing by other sites", async () => {
    const site = await siteWithTemplates();
    await site.page({ title: "About" }, ["en"]);
    for (const path of ["/about/", "/nothing/"]) {
      const { headers } = await site.ask("GET", path);
      const policy = headers.get("content-security-policy")!;
      expect(policy).toMatch(/^default-src 'self';.*object-src 'none'.*frame-ancestors 'self'$/);
      expect(policy).not.toMatch(/script-src|'unsafe-eval'/); // scripts fall under default-src
      expect([
        headers.get("x-content-type-options"),
        headers.get("x-frame-options"),
        headers.get("referrer-policy"),
      ]).toEqual(["nosniff", "SAMEORIGIN", "same-origin"]);
    }
  });

  it("let trusted origins frame previews", async () => {
    const site = await siteWithTemplates({}, { TRUSTED_ORIGINS: ["https://editor.example"] });
    const { id } = await site.page({ title: "About" });
    const { headers } = await site.ask("GET", `api:pages/${id}/render/`, { as: "staff" });
    expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'self' https:\/\/editor\.example$/);
    expect([headers.get("x-frame-options"), headers.get("cache-control")]).toEqual([null, "no-store, private"]);
  });

  it.each([
    ["default-src 'none'; frame-ancestors 'none'", "default-src 'none'; frame-ancestors 'none'"],
    ["default-src *", "default-src *; frame-ancestors 'self'"],
    [null, null],
  ])("CONTENT_SECURITY_POLICY %j is sent as %j", async (CONTENT_SECURITY_POLICY, sent) => {
    const site = await siteWithTemplates({}, { CONTENT_SECURITY_POLICY });
    expect((await site.ask("GET", "/nothing/")).headers.get("content-security-policy")).toBe(sent);
  });

  it("allow everything the example site uses", async () => {
    const site = await siteWithTemplates();
    await site.page({ title: "About", template_data: { body: "**Text**" } }, ["en"]);
    const { text } = await site.ask("GET", "/about/");
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son[a-z]+\s*=|javascript:/i); // what the policy would block
    for (const [, address = ""] of text.matchAll(
      /<(?:link rel="(?:stylesheet|icon)"|script|img)\b[^>]*\b(?:href|src)="([^"]*)"/g,
    ))
      expect(address).toMatch(/^\/media\//);
    expect(defaultConfig().CONTENT_SECURITY_POLICY).toContain("style-src 'self'");
  });

  it("of JSON allow nothing", async () => {
    const { headers } = await (await memorySite()).ask("GET", "api:languages/");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      "application/json; charset=utf-8",
      "nosniff",
    ]);
  });
});

describe("a file in the media folder", () => {
  it.each([
    ["a.svg", true],
    ["a.SVG", true],
    ["a.html", true],
    ["a.htm", true],
    ["a.xhtml", true],
    ["a.xml", true],
    ["a.mhtml", true],
    ["a", true],
    ["a.js", true],
    ["a.shtml", true],
    ["a.svgz", true],
    ["a.jpg.html", true],
    ["a.png", false],
    ["a.jpg", false],
  ])("%s is sandboxed: %s", async (name, boxed) => {
    const site = await memorySite();
    mkdirSync(join(site.repo.root, "media"), { recursive: true });
    writeFileSync(
      join(site.repo.root, "media", name),
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    );
    const { status, headers } = await site.ask("GET", `/media/${name}`);
    expect([status, headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
    if (!boxed) return;
    expect(headers.get("content-security-policy")).toMatch(/sandbox.*default-src 'none'/);
    if (!/\.svg$/i.test(name)) expect(headers.get("content-disposition")).toMatch(/^attachment/);
  });
});
