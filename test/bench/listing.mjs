/**
 * List queries (filter, sort, page) over 10,000 pages, compared with hand-written functions.
 *
 * Runs against the compiled program: `npm run -s build && node test/bench/listing.mjs`.
 */
import { readQuery } from "../../dist/model/lists/query.js";
import { EMPTY_TEXT } from "../../dist/model/page/page.js";
import { list } from "../../dist/views/lists/listing.js";
import { PAGE_LIST } from "../../dist/views/page/page-list.js";
import { median, timed } from "./timing.mjs";

const COUNT = 10_000;
const ROUNDS = 40;
const now = "2026-03-01T00:00:00.000Z";
const locales = { codes: ["en", "it"], default: "en" };
const view = {
  locales,
  lang: "en",
  now,
  surface: "editor",
  config: { RENDER: { PAGE: { DEFAULT_TEMPLATE: "default.html" } } },
  content: { find: (_kind, id) => pages[id - 1] },
};

const pages = Array.from({ length: COUNT }, (_, n) => ({
  id: n + 1,
  identifier: `page-${n}`,
  parent_page: n < 10 ? null : (n % 10) + 1,
  template: null,
  ordering: (n * 7919) % COUNT,
  og_image: null,
  meta: {},
  deleted_at: n % 11 === 0 ? now : null,
  date_created: new Date(1.7e12 + n * 1000).toISOString(),
  date_updated_at: now,
  aliases: [],
  translations: {
    en: {
      ...EMPTY_TEXT,
      title: `Title ${(n * 7919) % 9973} of a page`,
      published_at: n % 3 ? "2026-01-01T00:00:00.000Z" : null,
      template_data: { place: n % 50 },
    },
  },
  drafts: {},
}));

const isPublic = (page) =>
  page.deleted_at === null && page.translations.en.published_at !== null && page.translations.en.published_at <= now;
const byOrder = (a, b) => a.ordering - b.ordering || b.id - a.id;
const byTitle = (a, b) => {
  const [x, y] = [a.translations.en.title.toLowerCase(), b.translations.en.title.toLowerCase()];
  return x < y ? -1 : x > y ? 1 : byOrder(a, b);
};
const byHand = (matches, order) => () => pages.filter(matches).sort(order).slice(30, 60);

const title = (page) => page.translations.en.title;
const parentTitle = (page) => (page.parent_page === null ? "" : title(pages[page.parent_page - 1]));
const cases = [
  [{}, byHand(() => true, byOrder)],
  [{ fltr: "status=PUB" }, byHand(isPublic, byOrder)],
  [{ fltr: "status=PUB", sort: "title" }, byHand(isPublic, byTitle)],
  [
    { search: "page", sort: "-title" },
    byHand(
      (page) => title(page).toLowerCase().includes("page"),
      (a, b) => byTitle(b, a),
    ),
  ],
  [
    { fltr: "template_data__place=7 OR id__in=[1,2,3]" },
    byHand((page) => page.translations.en.template_data.place === 7 || page.id < 4, byOrder),
  ],
  [{ fltr: "parent_page__title__icontains=9" }, byHand((page) => parentTitle(page).includes("9"), byOrder)],
  [
    { fltr: "title__regex='([A-Z][a-z]+)+ 1.*age$'" },
    byHand((page) => /([A-Z][a-z]+)+ 1.*age$/.test(title(page)), byOrder),
  ],
];

const medianTime = async (run) => {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push((await timed(run)).ms);
  return median(times);
};

console.log(`${COUNT} pages, median of ${ROUNDS}: query, by hand, ratio`);
for (const [query, hand] of cases) {
  const params = new URLSearchParams({ items: "30", page: "2", ...query });
  const ours = await medianTime(() => list(pages, readQuery(params, PAGE_LIST, locales), view));
  const theirs = await medianTime(hand);
  console.log(
    `${ours.toFixed(1).padStart(7)} ms ${theirs.toFixed(1).padStart(7)} ms ${(ours / theirs).toFixed(1).padStart(5)}x  ${JSON.stringify(query)}`,
  );
}
