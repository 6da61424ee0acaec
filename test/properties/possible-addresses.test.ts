/** Every surface has the same pages, whatever their names, the settings and the files beside them; `cms check` names the rest. */
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPublic } from "../../src/model/page/lifecycle.ts";
import { permalinkIn } from "../../src/model/page/page.ts";
import { allProblems } from "../../src/store/check/check.ts";
import { staticProblems } from "../../src/store/check/static-files.ts";
import { allSummaries, kindOf } from "../../src/store/content/indexes/pages-by-model.ts";
import { servedPages } from "../../src/views/page/served-pages.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "../static-site/build-site.ts";
import { memorySite, type TestSite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const NAMES = [
  ...["Con", "AUX", "nul", "Com1", "Media", "Admin", "Static", "Api", "Preview", "Metrics", "healthz", "changes"],
  ...["de", "pt-BR", "it", "soon", "Docs", "Straße", "λογος", "café", "404.html", "index", "files", "a b", "\u00ad"],
];
const name = fc.constantFrom(...NAMES);
const permalink = fc.array(name, { minLength: 1, maxLength: 2 }).map((names) => `/${names.join("/")}`);

interface Text {
  readonly title: string;
  readonly permalink: string | undefined;
  readonly isPublic: boolean;
}
const text = fc.record<Text>({
  title: name,
  permalink: fc.option(permalink, { nil: undefined }),
  isPublic: fc.boolean().map((hidden) => !hidden),
});
const page = fc.record({
  en: fc.option(text, { nil: undefined }),
  it: fc.option(text, { nil: undefined }),
  parent: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 }),
});

const STATICS = [
  "Soon",
  "soon/x.png",
  "docs",
  "de/style.css",
  "it/index.html",
  "Media/x.css",
  "files/x.txt",
  "café",
  "con.css",
  "Straße/index.html",
];
/** A folder and a file of one name exclude each other. */
const statics = fc
  .subarray(STATICS)
  .map((all) =>
    all.filter(
      (path) => !all.some((other) => other !== path && `${path.toLowerCase()}/`.startsWith(`${other.toLowerCase()}/`)),
    ),
  );

const settings = fc.record({
  LANGUAGES: fc
    .constantFrom(["en", "it"], ["en", "it", "de"], ["en", "it", "pt-BR"])
    .map((codes) => codes.map((id) => ({ id, name: id }))),
  LANGUAGE_CODE: fc.constantFrom("en", "it"),
  APPEND_SLASH: fc.boolean(),
  MEDIA: fc.record({ URL: fc.constantFrom("/media/", "/files/", "/Docs/soon/") }),
  ADMIN: fc.record({ ENABLE: fc.boolean(), PATH: fc.constantFrom("/admin/", "/static/") }),
});

const redirects = fc.array(
  fc.record({
    from: permalink.map((path) => path.toLowerCase().replaceAll(" ", "-")),
    language: fc.constantFrom("en", "it"),
  }),
  {
    maxLength: 2,
  },
);

const fileOf = (
  texts: { readonly en?: Text | undefined; readonly it?: Text | undefined; readonly parent?: number | undefined },
  id: number,
): string =>
  JSON.stringify({
    id,
    ...(texts.parent !== undefined && texts.parent !== id && { parent_page: texts.parent }),
    translations: Object.fromEntries(
      (["en", "it"] as const).flatMap((lang) => {
        const given = texts[lang];
        if (!given) return [];
        const stated = given.permalink === undefined ? {} : { permalink: given.permalink, autopermalink: false };
        return [
          [lang, { title: given.title, ...stated, ...(given.isPublic && { published_at: "2026-01-01T00:00:00Z" }) }],
        ];
      }),
    ),
  });

/** The addresses of pages on each surface, sorted. */
async function surfacesOf(site: TestSite, built: ReadonlyMap<string, string>): Promise<Record<string, string[]>> {
  const { store, config } = site.cms;
  const paths = new Set<string>(["/nowhere/", "/"]);
  for (const summary of allSummaries(store.current))
    for (const lang of config.locales.codes) {
      const link = permalinkIn(summary, lang);
      if (link === null) continue;
      for (const prefix of ["", `/${lang}`])
        for (const end of ["", "/"]) paths.add(`${prefix}${link === "/" ? "" : link}${end}`);
    }
  const manifest = (await site.ask("GET", "api:pages-router/changes")).body.urls as { path: string }[];
  const sitemap = (await site.ask("GET", "/sitemap.xml")).text;
  const [router, html]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const encoded = encodeURI(path);
    if (path === "" || ["/changes", "/publish-due"].includes(path)) continue;
    const routed = await site.ask("GET", `api:pages-router${encoded}`);
    if (routed.status === 200 && routed.body.routerlink !== undefined && !("redirect" in routed.body))
      router.push(path);
    // With the prefix of the default language this route shows the same page.
    if (path === `/${config.locales.default}` || path.startsWith(`/${config.locales.default}/`)) continue;
    const shown = await site.ask("GET", encoded);
    if (shown.status === 200 && shown.text.includes("PAGE ")) html.push(path);
  }
  const folderOf = (path: string): string =>
    `/${path.replace(/(^|\/)index\.html$/, "")}${config.APPEND_SLASH && path !== "index.html" ? "/" : ""}`;
  return {
    manifest: manifest.map(({ path }) => path).sort(),
    sitemap: [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)]
      .map(([, path]) => decodeURI(path || "/"))
      .sort(),
    router: router.sort(),
    html: html.sort(),
    build: [...built]
      .flatMap(([path, content]) => (path.endsWith("index.html") && content.includes("PAGE ") ? [folderOf(path)] : []))
      .sort(),
  };
}

it("manifest, sitemap, router, HTML route and build have the same pages, and check names what is left out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { minLength: 1, maxLength: 5 }),
      statics,
      redirects,
      settings,
      async (pages, files, rows, given) => {
        const site = await memorySite(
          {
            ...Object.fromEntries(pages.map((texts, at) => [`content/pages/p${at}.yaml`, fileOf(texts, at + 1)])),
            ...(rows.length > 0 && {
              "content/redirects.yaml": JSON.stringify(rows.map((row) => ({ ...row, to: "/elsewhere" }))),
            }),
          },
          { ...given, BASE_URL: "http://test.local" },
        );
        const { root, store, locales, config, env } = site.cms;
        for (const [path, content] of Object.entries(TEMPLATES)) saveFile(root, path, content);
        saveFile(root, "templates/defaults/pages/default.html", "PAGE {{ page.id }}");
        site.cms.templates.reset();
        for (const path of files) saveFile(root, `static/${path}`, `FILE ${path}`);
        const out = join(emptyDir(), "out");
        const report = await buildTree(site, out);
        const built = filesIn(out);
        const { manifest, ...surfaces } = await surfacesOf(
          site,
          new Map([...built].map(([path, content]) => [Buffer.from(path).toString(), content])),
        );
        expect(report.failures).toEqual([]);
        for (const [surface, paths] of Object.entries(surfaces)) expect([surface, paths]).toEqual([surface, manifest]);

        const problems = await allProblems(store, locales);
        const served = await servedPages({ content: store.current, config, now: env.now() });
        for (const summary of allSummaries(store.current))
          for (const lang of locales.codes) {
            if (!isPublic(summary, lang, env.now()) || permalinkIn(summary, lang) === null) continue;
            if (served.some((each) => each.page.id === summary.id && each.lang === lang)) continue;
            const entry = store.current.table(kindOf(summary)).byId.get(summary.id)!;
            const names = ({ path, message }: (typeof problems)[number]): boolean =>
              path === `${entry.base}.yaml` || message.includes(`(page ${summary.id})`);
            expect(problems.filter(names)).not.toEqual([]);
          }

        const told = (await staticProblems(root, locales, served)).map(({ path }) => path);
        for (const path of files) {
          const isBuilt = built.get(path) === Buffer.from(`FILE ${path}`).toString("latin1");
          const answer = await site.ask("GET", `/${encodeURI(path.replace(/index\.html$/, ""))}`);
          expect([path, answer.status === 200 && answer.text === `FILE ${path}`]).toEqual([path, isBuilt]);
          if (!isBuilt) expect(told).toContain(`static/${path}`);
        }
        await expectSameAfterRestart(site);
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
}, 120_000);
