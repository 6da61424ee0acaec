/**
 * The benchmark's site for Hugo and Eleventy: the same words, and the example's templates, so that each makes the same
 * pages. Eleventy runs the very templates, with `page` under another name since it has one of its own; Hugo has them in its
 * own language (bench/hugo).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MENU, pathOf, ROOT, save } from "./build-site.mjs";

const TEMPLATES = join(ROOT, "templates");
const layout = (name) => readFileSync(join(ROOT, "bench/hugo", name), "utf8");
const front = (data) =>
  `---\n${Object.entries(data)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("")}---\n`;

/** The words that belong to the example's templates, by language. */
function words() {
  const text = readFileSync(join(TEMPLATES, "defaults/parts/words.html"), "utf8");
  return new Function(`return ${/set words = (\{.*\})\s*%\}/s.exec(text)[1]}`)();
}

export function writeHugo(dir, pages) {
  const menu = (lang) => ({
    main: MENU.map((n, at) => ({ name: `Node ${n}`, url: pathOf(pages[n], pages, lang), weight: at + 1 })),
  });
  const language = (lang, name, weight) => ({
    contentDir: `content/${lang}`,
    languageName: name,
    weight,
    menus: menu(lang),
  });
  const config = {
    baseURL: "/",
    defaultContentLanguage: "en",
    disableKinds: ["taxonomy", "term", "RSS", "robotsTXT"],
    params: { words: words() },
    languages: { en: language("en", "English", 1), it: language("it", "Italiano", 2) },
  };
  save(dir, "config.json", JSON.stringify(config));
  save(dir, "layouts/_default/baseof.html", layout("baseof.html"));
  save(dir, "layouts/partials/menu.html", layout("menu.html"));
  save(dir, "layouts/partials/logo.html", readFileSync(join(TEMPLATES, "defaults/parts/logo.html"), "utf8"));
  const card =
    '<article class="card">\n  <h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2>\n  {{ with .Description }}<p>{{ . }}</p>{{ end }}\n</article>';
  save(dir, "layouts/_default/single.html", layout("single.html").replace("CHILDREN", ""));
  for (const name of ["_default/list.html", "index.html"]) {
    // Ours lists the children of a page; the home page is nobody's parent.
    save(
      dir,
      `layouts/${name}`,
      layout("single.html").replace(
        "CHILDREN",
        name === "index.html"
          ? ""
          : `{{ with .Pages }}<div class="cards">\n    {{ range . }}${card}{{ end }}\n  </div>{{ end }}`,
      ),
    );
  }
  const parents = new Set(pages.map(({ parent }) => parent));
  for (const page of pages) {
    for (const [lang, { body, ...data }] of Object.entries(page.texts)) {
      const path = pathOf(page, pages, "en").slice(1);
      save(
        dir,
        `content/${lang}/${page.n === 0 || parents.has(page.n) ? `${path}_index` : path.slice(0, -1)}.md`,
        front(data) + body,
      );
    }
  }
}

export function writeEleventy(dir, pages) {
  save(dir, "package.json", '{ "type": "module" }');
  for (const entry of readdirSync(TEMPLATES, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )) {
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
    const renamed = text
      .replace(/\bpage\b(?=[.|) ])(?!-)/g, "cms")
      .replace("{{ data.body | markdown }}", "{{ content | safe }}")
      .replaceAll("| markdown", "| markdown | safe")
      .replaceAll('aria-current="cms"', 'aria-current="page"');
    save(dir, `_includes/${join(entry.parentPath, entry.name).slice(TEMPLATES.length + 1)}`, renamed);
  }
  const urls = (page) => Object.fromEntries(["en", "it"].map((lang) => [lang, pathOf(page, pages, lang)]));
  const children = new Map();
  for (const page of pages)
    if (page.parent !== null) children.set(page.parent, [...(children.get(page.parent) ?? []), page]);
  const menu = (lang) => ({
    main: {
      nodes: MENU.map((n) => ({
        title: `Node ${n}`,
        link: {
          url: pathOf(pages[n], pages, lang),
          url_node: { permalink: pathOf(pages[n], pages, "en").replace(/(.)\/$/, "$1") },
        },
      })),
    },
  });
  save(dir, "menus.json", JSON.stringify({ en: menu("en"), it: menu("it") }));
  save(
    dir,
    "children.json",
    JSON.stringify(
      Object.fromEntries(
        [...children].flatMap(([parent, all]) =>
          ["en", "it"].map((lang) => [
            `${lang} ${pages[parent].id}`,
            all.map((page) => ({
              routerlink: pathOf(page, pages, lang),
              title: page.texts[lang].title,
              description: page.texts[lang].description,
            })),
          ]),
        ),
      ),
    ),
  );
  save(
    dir,
    "eleventy.config.js",
    ELEVENTY_CONFIG.replace("MARKDOWN", JSON.stringify(join(ROOT, "node_modules/markdown-it/index.mjs"))),
  );
  for (const page of pages) {
    for (const [lang, { body, ...data }] of Object.entries(page.texts)) {
      const { title, description, ...template_data } = data;
      const parent = page.parent === null ? undefined : pages[page.parent];
      const crumb = (each) => ({ permalink: pathOf(each, pages, lang), title: each.texts[lang].title });
      const other = lang === "en" ? "it" : "en";
      const cms = {
        id: page.id,
        title,
        description,
        permalink: pathOf(page, pages, "en").replace(/(.)\/$/, "$1"),
        routerlink: pathOf(page, pages, lang),
        alternates: { [other]: urls(page)[other] },
        breadcrumbs: [...(parent ? [crumb(parent)] : []), crumb(page)],
        template_data: { ...template_data, body: true },
      };
      save(
        dir,
        `content/${lang}/p${page.n}.md`,
        front({ layout: "defaults/pages/default.html", permalink: pathOf(page, pages, lang), lang, cms }) + body,
      );
    }
  }
}

/** What the example's templates call, as far as these pages need it. */
const ELEVENTY_CONFIG = `import { readFileSync } from "node:fs";
import markdown from MARKDOWN;
const md = markdown();
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const [menus, children] = [read("./menus.json"), read("./children.json")];
export default (config) => {
  config.setLibrary("md", md);
  config.addFilter("markdown", (text) => md.render(text));
  config.addFilter("filter_content", () => ({ content: "" }));
  config.addGlobalData("languages", [{ id: "en", name: "English" }, { id: "it", name: "Italiano" }]);
  config.addGlobalData("settings", { MEDIA: { URL: "/media/" } });
  config.addGlobalData("eleventyComputed", { menus: (data) => menus[data.lang] });
  config.addNunjucksGlobal("content_block", () => ({ content: "" }));
  config.addNunjucksGlobal("media", () => null);
  config.addNunjucksGlobal("media_picture", () => "");
  config.addNunjucksGlobal("cms_field", () => "");
  config.addNunjucksGlobal("blocks", () => "");
  config.addNunjucksGlobal("pages_of", function (cms) { return children[\`\${this.ctx.lang} \${cms.id}\`] ?? []; });
  config.addNunjucksGlobal("localized_url", function (path) { return this.ctx.lang === "it" ? (path === "/" ? "/it/" : "/it" + path) : path; });
  config.setNunjucksEnvironmentOptions({ autoescape: true });
  return { dir: { input: "content", includes: "../_includes" }, htmlTemplateEngine: "njk", markdownTemplateEngine: false };
};
`;
