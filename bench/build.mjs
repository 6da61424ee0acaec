/**
 * A static build of pages in two languages beside Hugo and Eleventy, on the same words in the same run.
 *
 *   npm run -s build && node bench/build.mjs [pages]
 *
 * Hugo is taken from PATH; Eleventy from ELEVENTY (a folder with node_modules), else installed into a temporary folder.
 * Processor seconds stand beside wall time, since other work on the machine changes the one and hardly the other.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePages, pathOf, ROOT, save, writeCmsSite } from "./build-site.mjs";

const COUNT = Number(process.argv[2] ?? 10_000);
const CMS = join(ROOT, "bin/cms.cjs");
const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));

try {
  const pages = makePages(COUNT);
  const site = join(folder, "site");
  writeCmsSite(site, pages);
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${site}`, clone]);
  const out = join(folder, "out");
  const cms = (...args) => [process.execPath, CMS, "build", "--root", clone, "--out", out, "--quiet", ...args];
  const results = {};

  results["process start"] = timed([process.execPath, CMS, "--version"]);
  results["cms build, cold clone"] = timed(cms("--no-json"));
  results["cms build, nothing changed"] = timed(cms("--no-json"));
  edit(clone, pages.at(-1));
  results["cms build, one edit"] = timed(cms("--no-json"));
  results["cms build --full, warm"] = timed(cms("--no-json", "--full"));

  if (spawnSync("hugo", ["version"]).status === 0) {
    writeHugo(join(folder, "hugo"), pages);
    results.hugo = timed(["hugo", "--quiet", "--source", join(folder, "hugo")]);
    check(join(folder, "hugo/public"), pages);
  }
  const eleventy = eleventyFolder();
  writeEleventy(join(folder, "eleventy"), pages);
  results["eleventy 3.1.2"] = timed([process.execPath, join(eleventy, "node_modules/@11ty/eleventy/cmd.cjs"), "--quiet"], join(folder, "eleventy"));
  check(join(folder, "eleventy/_site"), pages);
  check(out, pages);

  for (const [name, { wall, cpu }] of Object.entries(results)) console.log(`${name.padEnd(28)} ${wall.toFixed(2).padStart(7)} s wall ${cpu.toFixed(2).padStart(7)} s processor`);
  const ratio = (a, b) => (results[a] && results[b] ? console.log(`ratio ${a} / ${b}`.padEnd(60), `${(results[a].wall / results[b].wall).toFixed(2)} wall, ${(results[a].cpu / results[b].cpu).toFixed(2)} processor`) : undefined);
  ratio("cms build, cold clone", "hugo");
  ratio("cms build --full, warm", "hugo");
  ratio("cms build, cold clone", "eleventy 3.1.2");
  ratio("cms build, one edit", "cms build, cold clone");
  console.log(`one edit, above process start: ${(results["cms build, one edit"].wall - results["process start"].wall).toFixed(2)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function timed([command, ...args], cwd = folder) {
  const began = performance.now();
  const ended = spawnSync("sh", ["-c", '"$@"; code=$?; times; exit $code', "sh", command, ...args], { cwd, encoding: "utf8", maxBuffer: 64 << 20 });
  if (ended.status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${ended.status}: ${ended.stderr}${ended.stdout.slice(-2000)}`);
  const [user, system] = ended.stdout.trim().split("\n").at(-1).split(" ").map((each) => Number(each.split("m")[0]) * 60 + Number.parseFloat(each.split("m")[1]));
  return { wall: (performance.now() - began) / 1000, cpu: user + system };
}

function edit(dir, page) {
  const file = join(dir, `content/pages/${Math.floor(page.n / 200)}/p${page.n}.yaml`);
  writeFileSync(file, readFileSync(file, "utf8").replace("description: ", "description: Edited "));
}

/** The same number of pages came out. */
function check(dir, pages) {
  const made = readdirSync(dir, { recursive: true }).filter((path) => path.endsWith("index.html")).length;
  if (made < pages.length * 2) throw new Error(`${dir} holds ${made} pages`);
}

function front(data) {
  return `---\n${Object.entries(data).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("")}---\n`;
}

function writeHugo(dir, pages) {
  save(dir, "config.yaml", `baseURL: https://example.org/\ndefaultContentLanguage: en\ndisableKinds: [taxonomy, term, RSS, robotsTXT]\nlanguages:\n  en: { contentDir: content/en, languageName: English, weight: 1 }\n  it: { contentDir: content/it, languageName: Italiano, weight: 2 }\n`);
  save(dir, "layouts/_default/baseof.html", `<!doctype html><html lang="{{ .Lang }}"><head><meta charset="utf-8"><title>{{ .Title }}</title><meta name="description" content="{{ .Description }}"><link rel="canonical" href="{{ .Permalink }}">{{ range .AllTranslations }}<link rel="alternate" hreflang="{{ .Lang }}" href="{{ .Permalink }}">{{ end }}</head><body><nav>{{ range site.Home.Pages | first 4 }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav><main>{{ block "main" . }}{{ end }}</main><footer>{{ site.Title }}</footer></body></html>`);
  const body = `{{ define "main" }}<nav>{{ range .Ancestors.Reverse }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav><h1>{{ .Title }}</h1><p>{{ .Params.lead }}</p>{{ .Content }}{{ range .Params.sections }}<section><h2>{{ .title }}</h2>{{ .text | markdownify }}</section>{{ end }}CHILDREN{{ end }}`;
  const ancestors = body.replace("{{ range .Ancestors.Reverse }}", "{{ with .Parent }}");
  save(dir, "layouts/_default/single.html", ancestors.replace("CHILDREN", ""));
  for (const name of ["_default/list.html", "index.html"]) save(dir, `layouts/${name}`, ancestors.replace("CHILDREN", "{{ range .Pages }}<article><h2><a href=\"{{ .RelPermalink }}\">{{ .Title }}</a></h2><p>{{ .Description }}</p></article>{{ end }}"));
  const parents = new Set(pages.map(({ parent }) => parent));
  for (const page of pages) {
    for (const [lang, { body: text, ...data }] of Object.entries(page.texts)) {
      const path = pathOf(page, pages, "en").slice(1);
      save(dir, `content/${lang}/${page.n === 0 || parents.has(page.n) ? `${path}_index` : path.slice(0, -1)}.md`, front(data) + text);
    }
  }
}

function writeEleventy(dir, pages) {
  save(dir, "package.json", '{ "type": "module" }');
  save(dir, "_includes/base.njk", `<!doctype html><html lang="{{ lang }}"><head><meta charset="utf-8"><title>{{ title }}</title><meta name="description" content="{{ description }}"><link rel="canonical" href="{{ page.url }}">{% for code, url in alternates %}<link rel="alternate" hreflang="{{ code }}" href="{{ url }}">{% endfor %}</head><body><nav>{% for node in [0, 1, 101, 201] %}<a href="/page-{{ node }}/">Node {{ node }}</a>{% endfor %}</nav><main>{% block main %}{% endblock %}</main></body></html>`);
  save(dir, "_includes/page.njk", `{% extends "base.njk" %}{% block main %}<nav>{% for crumb in crumbs %}<a href="{{ crumb.url }}">{{ crumb.title }}</a>{% endfor %}</nav><h1>{{ title }}</h1><p>{{ lead }}</p>{{ content | safe }}{% for section in sections %}<section><h2>{{ section.title }}</h2>{{ section.text | md | safe }}</section>{% endfor %}{% for child in children %}<article><h2><a href="{{ child.url }}">{{ child.title }}</a></h2><p>{{ child.description }}</p></article>{% endfor %}{% endblock %}`);
  save(dir, "eleventy.config.js", `import markdown from ${JSON.stringify(join(ROOT, "node_modules/markdown-it/dist/markdown-it.mjs"))};\nconst md = markdown();\nexport default (config) => { config.addFilter("md", (text) => md.render(text)); return { dir: { input: "content", includes: "../_includes" } }; };\n`);
  const children = new Map();
  for (const page of pages) if (page.parent !== null) children.set(page.parent, [...(children.get(page.parent) ?? []), page]);
  for (const page of pages) {
    for (const [lang, { body: text, ...data }] of Object.entries(page.texts)) {
      const link = (other) => ({ url: pathOf(other, pages, lang), title: other.texts[lang].title, description: other.texts[lang].description });
      const alternates = { en: pathOf(page, pages, "en"), it: pathOf(page, pages, "it") };
      save(dir, `content/${lang}/p${page.n}.md`, front({ layout: "page.njk", permalink: pathOf(page, pages, lang), lang, alternates, ...data, crumbs: page.parent === null ? [] : [link(pages[page.parent])], children: (children.get(page.n) ?? []).map(link) }) + text);
    }
  }
}

function eleventyFolder() {
  if (process.env.ELEVENTY) return process.env.ELEVENTY;
  const dir = join(folder, "eleventy-program");
  save(dir, "package.json", "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", "@11ty/eleventy@3.1.2"], { cwd: dir });
  if (!existsSync(join(dir, "node_modules/@11ty/eleventy"))) throw new Error("Eleventy is not installed");
  return dir;
}
