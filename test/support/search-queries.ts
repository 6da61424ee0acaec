/** Queries with the pages that a reader who asks them means, by site: for every search that there is. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the content of each is; the imported one is made of `documentationPosts`. */
export const SEARCHED_SITES = {
  example: ".",
  blog: "examples/starters/blog",
  business: "examples/starters/business",
  imported: undefined,
};
export type SearchedSite = keyof typeof SEARCHED_SITES;

/** Pages of the documentation without reference tables, and the Italian one. */
const DOCUMENTATION = [
  ...["backup", "blocks", "content", "deploying", "editing", "editor", "faq", "front-ends", "hooks", "media", "moving"],
  ...["monitoring", "people", "recipes", "reliability", "scale", "security", "sync", "templates", "time"],
];
const DOCUMENTATION_IT = ["guida-editor"];

/** The sections of the documentation as posts of a site of Hugo, by path: to be imported. */
export function documentationPosts(): Record<string, string> {
  const config = 'defaultContentLanguage = "en"\n[languages.en]\n[languages.it]\n';
  const posts = (lang: string, names: readonly string[]): [path: string, text: string][] =>
    names.flatMap((name) => {
      const sections = readFileSync(join(ROOT, `docs/${name}.md`), "utf8").split(/^## /m);
      return sections.slice(1).map((section, at): [string, string] => {
        const title = section.slice(0, section.indexOf("\n")).replaceAll("`", "");
        const text = section.slice(section.indexOf("\n"));
        const head = `---\ntitle: ${JSON.stringify(title)}\ndate: 2026-01-01\n---\n`;
        return [`content/posts/${name}-${at}.${lang}.md`, head + text];
      });
    });
  return Object.fromEntries([["hugo.toml", config], ...posts("en", DOCUMENTATION), ...posts("it", DOCUMENTATION_IT)]);
}

/** The content of a site by path, without its files of media. */
export function contentOf(site: Exclude<SearchedSite, "imported">): Record<string, string> {
  const folder = join(ROOT, SEARCHED_SITES[site]);
  const files = readdirSync(join(folder, "content"), { recursive: true, encoding: "utf8" });
  const texts = files.filter((name) => /\.(?:yaml|md)$/.test(name));
  return Object.fromEntries(
    texts.map((name) => [`content/${name}`, readFileSync(join(folder, "content", name), "utf8")]),
  );
}

/** Of a page: its title is among those of the results. */
export type SearchedQuery = readonly [site: SearchedSite, lang: "en" | "it", query: string, titles: readonly string[]];

const [BREAD, CUP, RAILWAY, PEAR, RAIN] = [
  "Bread for people who forget",
  "A cup, mended twice",
  "Nineteen kilometres on the old railway",
  "The pear tree that would not be pruned",
  "What the rain gauge knows",
];
const [PAINTING, YEARS, CENTIMETRES, NINA, LENS, NIGHT] = [
  "Painting the tower, one bucket at a time",
  "A hundred and twenty-five years of wind",
  "Four centimetres",
  "“Nina” goes back in the water",
  "Reading a Fresnel lens with your hands",
  "The night the lamp stood still",
];
const [YEARS_IT, CENTIMETRES_IT, NINA_IT, LENS_IT, NIGHT_IT] = [
  "Centoventicinque anni di vento",
  "Quattro centimetri",
  "La «Nina» torna in acqua",
  "Leggere una lente di Fresnel con le mani",
  "La notte in cui la lampada si fermò",
];

export const SEARCHED_QUERIES: readonly SearchedQuery[] = [
  ["blog", "en", "flour water", [BREAD, CUP]],
  ["blog", "en", "water flour", [BREAD, CUP]],
  ["blog", "en", "Flaur", [BREAD, CUP]],
  ["blog", "en", "bread dough", [BREAD]],
  ["blog", "en", '"cold water"', [BREAD]],
  ["blog", "en", "mended", [CUP]],
  ["blog", "en", "dishwashers", [CUP]],
  ["blog", "en", "handel", [CUP]],
  ["blog", "en", "old railways", [RAILWAY]],
  ["blog", "en", "viaduct", [RAILWAY]],
  ["blog", "en", "walking kilometre", [RAILWAY]],
  ["blog", "en", "pear trees", [PEAR]],
  ["blog", "en", "prun", [PEAR]],
  ["blog", "en", "calendar aunt", [RAIN]],
  ["blog", "en", "rain -bread", [RAIN]],
  ["blog", "it", "farina acqua", ["Pane per gente distratta"]],
  ["blog", "it", "impasti", ["Pane per gente distratta"]],
  ["blog", "it", "perche", []],
  ["blog", "it", "lievit", ["Pane per gente distratta"]],
  ["example", "en", "lime buckets", [PAINTING]],
  ["example", "en", "paint tower", [PAINTING]],
  ["example", "en", "weather log volumes", [YEARS]],
  ["example", "en", "guests remarks column", [CENTIMETRES]],
  ["example", "en", "geraniums", [NINA]],
  ["example", "en", "blind visitor", [LENS]],
  ["example", "en", "fresnel lenses", [LENS]],
  ["example", "en", "motor turned by hand", [NIGHT]],
  ["example", "en", "lamp nigth", [NIGHT]],
  ["example", "en", "house rules", []], // hidden from search engines
  ["example", "en", "become members dividend", []], // not published
  ["example", "it", "vento registro", [YEARS_IT]],
  ["example", "it", "ostetrica", [CENTIMETRES_IT]],
  ["example", "it", "perche", [CENTIMETRES_IT]],
  ["example", "it", "gerani farmacista", [NINA_IT]],
  ["example", "it", "guanti bianchi", [LENS_IT]],
  ["example", "it", "visitatrici cieche", [LENS_IT]],
  ["example", "it", "fermo lampada", [NIGHT_IT]],
  ["example", "it", "libecio", [NIGHT_IT, YEARS_IT]],
  ["example", "it", '"tonnellate di vetro"', [NIGHT_IT]],
  ["business", "en", "handrail stairs", ["Stairs"]],
  ["business", "en", "kitchens cost", ["Kitchens"]],
  ["business", "en", "window old house", ["Windows"]],
  ["business", "en", "contacts", ["Contact"]],
  ["business", "it", "cucina", ["Cucine"]],
  ["business", "it", "finestra", ["Finestre"]],
  ["business", "it", "scala costo", ["Scale"]],
  ["imported", "en", "unlock with a finger", ["Passkeys and one-time codes"]],
  ["imported", "en", "six digits app", ["Passkeys and one-time codes"]],
  ["imported", "en", "keycloak", ["Signing in by the company"]],
  ["imported", "en", "mention colleague comment", ["Comments"]],
  ["imported", "en", "approve drafts", ["Review"]],
  ["imported", "en", "superusers rights", ["Roles"]],
  ["imported", "en", "picture wrong extension", ["Processing of an upload"]],
  ["imported", "en", "gitignore thumbnails", ["Keeping renditions out of git"]],
  ["imported", "en", "pointers lfs", ["Git LFS"]],
  ["imported", "en", "range requests", ["How files are served"]],
  ["imported", "en", "avif webp quality", ["Formats and their cost"]],
  ["imported", "en", '"read-only root"', ["Docker"]],
  ["imported", "en", "replica probes", ["Kubernetes"]],
  ["imported", "en", "github pages workflows", ["GitHub"]],
  ["imported", "en", "rsync nginx", ["A web server, by rsync"]],
  ["imported", "en", "bucket", ["S3 and others like it"]],
  ["imported", "en", "checkout payment", ["A shop window"]],
  ["imported", "en", "formspree", ["A contact form"]],
  ["imported", "en", "journal tags pages", ["A list with pages"]],
  ["imported", "en", "wp-content uploads", ["WordPress"]],
  ["imported", "en", "django dump", ["camomilla"]],
  ["imported", "en", "footnotes", ["Folders of Markdown"]],
  ["imported", "en", "power cut", ["Guarantees"]],
  ["imported", "en", "reflog", ["Not guaranteed"]],
  ["imported", "en", "replicas purge cdn", ["The road to internet scale"]],
  ["imported", "en", "rebase cherry-pick", ["Merging with git"]],
  ["imported", "en", "release unpublish season", ["Monday: plan a season"]],
  ["imported", "en", "port taken", ["Trouble"]],
  ["imported", "en", "mirror clone daily", ["Back up"]],
  ["imported", "en", "folder dragging alternative text", ["Media"]],
  ["imported", "it", "calendario", ["Inizio"]],
  ["imported", "it", "tavolozza comandi", ["Trovare e fare tutto"]],
  ["imported", "it", "cestino cartella", ["Media"]],
  ["imported", "it", "albero delle pagine", ["Pagine"]],
  ["imported", "it", "scorciatoia tastiera", ["Trovare e fare tutto"]],
  ["imported", "it", "testi alternativi", ["Media"]],
  ["imported", "it", "barra piccola", ["Sul sito stesso"]],
  ["imported", "it", "etichetta articolo", ["Articoli ed etichette"]],
  ["imported", "it", "trascinare", ["Media", "Pagine"]],
  ["imported", "it", "revoca token utente", ["Utenti"]],
];

/** The share of the wanted pages that are among the first ten results. */
export function recallOf(answers: readonly (readonly [query: SearchedQuery, titles: readonly string[]])[]): {
  readonly recall: number;
  readonly missed: readonly string[];
} {
  const missed = answers.flatMap(([[site, lang, query, titles], found]) =>
    titles.filter((title) => !found.slice(0, 10).includes(title)).map((title) => `${site} ${lang} ${query}: ${title}`),
  );
  const wanted = answers.reduce((sum, [[, , , titles]]) => sum + titles.length, 0);
  return { recall: 1 - missed.length / wanted, missed };
}
