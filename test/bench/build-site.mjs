/**
 * The content the build benchmarks run on: pages in two languages with lead, body, sections and a menu, three levels
 * deep, under the example site's own templates. The same words go to every program that is measured.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringifyYaml } from "../../dist/store/codec/yaml/yaml-print.js";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WORDS =
  "harbour lantern tide keeper rope gull ferry storm oilskin quay chart signal winter boat tower stair lens brass wick wind".split(
    " ",
  );
const PER_SECTION = 100;
const MOMENT = "2026-01-01T00:00:00.000Z";

/** Pages in the main menu, by number. */
export const MENU = [0, 1, 101, 201];

/** @returns pages with their texts; the first is the home page, every hundredth one is the parent of those after it */
export function makePages(count) {
  return Array.from({ length: count }, (_, n) => {
    const parent = n === 0 || n % PER_SECTION === 1 ? null : n - ((n - 1) % PER_SECTION);
    return {
      n,
      id: n + 1,
      parent,
      slug: n === 0 ? "" : `page-${n}`,
      texts: { en: textOf(n, "en"), it: textOf(n, "it") },
    };
  });
}

function textOf(n, lang) {
  const sentence = (salt, length) =>
    Array.from({ length }, (_, i) => WORDS[(n * 7 + salt * 13 + i * (3 + (salt % 5))) % WORDS.length]).join(" ");
  const paragraph = (salt) =>
    `The ${sentence(salt, 24)}, and **${sentence(salt + 1, 4)}** with a [link](/page-${(n % PER_SECTION) + 1}/).`;
  return {
    title: `${lang === "it" ? "Pagina" : "Page"} ${n}`,
    description: sentence(2, 14),
    lead: sentence(3, 18),
    body: [4, 5, 6].map(paragraph).join("\n\n"),
    sections: [7, 8].map((salt) => ({ title: sentence(salt, 4), text: paragraph(salt + 20) })),
  };
}

export const pathOf = (page, pages, lang) => {
  const slugs = [page.slug];
  for (let at = page.parent; at !== null; at = pages[at].parent) slugs.unshift(pages[at].slug);
  return `/${[...(lang === "en" ? [] : [lang]), ...slugs].filter(Boolean).join("/")}${page.n === 0 && lang === "en" ? "" : "/"}`;
};

/** Our own site as the service writes it, committed. */
export function writeCmsSite(dir, pages) {
  for (const part of ["templates", "cms.config.yaml"]) cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  cpSync(join(ROOT, "media/site"), join(dir, "media/site"), { recursive: true });
  for (const page of pages) {
    const permalink = pathOf(page, pages, "en").replace(/(.)\/$/, "$1");
    const texts = Object.entries(page.texts).map(([lang, { title, description, ...data }]) => [
      lang,
      { title, description, permalink, autopermalink: false, published_at: MOMENT, template_data: data },
    ]);
    const record = {
      id: page.id,
      identifier: `page-${page.n}`,
      ...(page.parent !== null && { parent_page: pages[page.parent].id }),
      date_created: MOMENT,
      date_updated_at: MOMENT,
      translations: Object.fromEntries(texts),
    };
    save(dir, `content/pages/${Math.floor(page.n / 200)}/p${page.n}.yaml`, stringifyYaml(record));
  }
  const nodes = MENU.map((n) => ({ title: `Node ${n}`, link: { link_type: "RE", url_node: n + 1 } }));
  save(
    dir,
    "content/menus/main.yaml",
    stringifyYaml({ id: 900001, key: "main", enabled: true, translations: { en: { nodes }, it: { nodes } } }),
  );
  commit(dir);
}

export function commit(dir) {
  const git = (...args) =>
    execFileSync("git", ["-C", dir, "-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args]);
  execFileSync("git", ["init", "-q", "-b", "main", dir]);
  git("add", "-A");
  git("commit", "-qm", "Content");
}

export function save(dir, path, text) {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
