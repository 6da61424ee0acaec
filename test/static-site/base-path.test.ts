/** A site below a path of its host: addresses have the path, payloads and templates do not; served and built alike. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { belowBasePath } from "../../src/render/base-path.ts";
import { memorySite, writeTemplate, type MemorySite } from "../site.ts";
import { buildTree, emptyDir, filesIn } from "./build-site.ts";

const HTML = `<link rel="canonical" href="{{ request.url }}"><meta property="og:image" content="/media/a.png">
<a href="{{ page.routerlink }}">{{ page.routerlink }}</a><a href='/plain/'>p</a><a href="//cdn.example/x">c</a><a href="https://a.example/">o</a>
<img src=/media/a.png srcset="/media/a.png 1x, /media/b.png 2x"><p style="background: url('/media/a.png')">/text/</p>
{{ page.template_data.body | markdown }}<a href="{{ localized_url("/about") }}">l</a><script>const a = '<a href="/x">';</script>`;

async function siteAt(settings: object): Promise<MemorySite> {
  const site = await memorySite(
    { "content/redirects.yaml": "- { from: /old, to: /about }\n", "content/pages/.gitkeep": "" },
    settings,
  );
  writeTemplate(site, "defaults/pages/default.html", HTML);
  await site.page({ title: "About", template_data: { body: "[link](/old/) [home](/about/)" } }, ["en"]);
  return site;
}

it.each([
  ["a path in BASE_URL", { BASE_URL: "https://user.example/site/" }],
  ["BASE_PATH", { BASE_URL: "https://user.example", BASE_PATH: "/site" }],
])("has the base path in every address of HTML, feeds, sitemap, redirects and headers: %s", async (_name, settings) => {
  const site = await siteAt(settings);
  const out = join(emptyDir(), "out");
  await buildTree(site, out, { redirects: ["nginx", "apache", "caddy", "vercel", "github-pages"] });
  const files = filesIn(out);
  const html = files.get("about/index.html")!;
  expect(html)
    .toBe(`<link rel="canonical" href="https://user.example/site/about/"><meta property="og:image" content="/site/media/a.png">
<a href="/site/about/">/about/</a><a href='/site/plain/'>p</a><a href="//cdn.example/x">c</a><a href="https://a.example/">o</a>
<img src=/site/media/a.png srcset="/site/media/a.png 1x, /site/media/b.png 2x"><p style="background: url('/site/media/a.png')">/text/</p>
<p><a href="/site/about/">link</a> <a href="/site/about/">home</a></p>
<a href="https://user.example/site/about/">l</a><script>const a = '<a href="/x">';</script>`);
  // A proxy may remove the path or pass it on.
  for (const path of ["/about/", "/site/about/"]) expect((await site.ask("GET", path)).text).toBe(html);
  for (const path of ["/old", "/site/old/"])
    expect((await site.ask("GET", path)).headers.get("location")).toBe("/site/about/");
  expect((await site.ask("GET", "/sitebook/")).status).toBe(404);
  expect(JSON.parse(files.get("about/index.json")!)).toMatchObject({ routerlink: "/about/" });
  expect((await site.ask("GET", "/site/api/cms/pages-router/about/")).body).toMatchObject({ routerlink: "/about/" });
  expect(files.get("sitemap.xml")).toContain("<loc>https://user.example/site/about/</loc>");
  expect(files.get("robots.txt")).toContain("Sitemap: https://user.example/site/sitemap.xml");
  for (const path of ["/sitemap.xml", "/robots.txt"])
    expect((await site.ask("GET", path)).text).toBe(files.get(path.slice(1)));
  expect(files.get("_headers")).toMatch(/^\/site\/\*\n[^]*\n\/site\/media\/\*\n/);
  expect(files.get("_redirects")).toBe("/site/old /site/about/ 301\n/site/old/ /site/about/ 301\n");
  expect(files.get("redirects.nginx.conf")).toContain(
    'location = "/site/old/" { return 301 "/site/about/$is_args$args"; }',
  );
  expect(files.get("redirects.caddy")).toContain('"/site/old" "/site/about/{cms_query}" 301');
  expect(files.get("vercel.json")).toContain('"/site/old"');
  // Apache reads it in the folder of the site.
  expect(files.get(".htaccess")).toContain('RewriteRule "^/?old/?$" "/site/about/" [R=301,L,NE]');
  expect(files.get(".htaccess")).toContain("ErrorDocument 404 /site/404.html");
  expect(files.get("old/index.html")).toContain('content="0; url=/site/about/"');
});

it("leaves HTML without a base path as it is, and changes nothing but addresses", () => {
  const html = `<!-- <a href="/x"> --><a href="/x" title="/x">/x</a><base href="/"><form action="/f">`;
  expect(belowBasePath(html, { BASE_PATH: "" })).toBe(html);
  expect(belowBasePath(html, { BASE_PATH: "/s" })).toBe(
    `<!-- <a href="/x"> --><a href="/s/x" title="/x">/x</a><base href="/s/"><form action="/s/f">`,
  );
});

it("renders without an origin: addresses are relative to the root", async () => {
  const site = await siteAt({});
  const rendered = await site.cms.render("/about/");
  expect("html" in rendered && rendered.html).toContain('<a href="/about/">l</a>');
});

it("has the origin of the request in development, and BASE_URL in what other machines read", async () => {
  const site = await siteAt({ BASE_URL: "https://www.example" });
  expect((await site.ask("GET", "/about/")).text).toContain('href="https://www.example/about/">l<');
  Object.assign(site.cms.config, { usesRequestOrigin: true });
  expect((await site.ask("GET", "/about/")).text).toContain('href="http://test.local/about/">l<');
  expect((await site.ask("GET", "/sitemap.xml")).text).toContain("<loc>https://www.example/about/</loc>");
  expect((await site.ask("GET", "/robots.txt")).text).toContain("https://www.example/sitemap.xml");
});
