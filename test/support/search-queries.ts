/** Queries with the pages that a reader who asks them means, by site: for every search that there is. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const SEARCHED_SITES = { example: ".", blog: "examples/starters/blog", business: "examples/starters/business" };
export type SearchedSite = keyof typeof SEARCHED_SITES;

/** The content of a site by path, without its files of media. */
export function contentOf(site: SearchedSite): Record<string, string> {
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
