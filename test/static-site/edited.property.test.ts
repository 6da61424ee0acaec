/** After random edits between starts the content from the caches is that of the files, and a build equals a full one. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { KINDS } from "../../src/cms.ts";
import { canonicalJson } from "../../src/model/input/json.ts";
import type { Lang } from "../../src/model/language/locale.ts";
import { instantOf, msOf } from "../../src/model/time/instant.ts";
import { nextMoment, pageIndex, scheduledPages } from "../../src/store/content/indexes/page-index.ts";
import type { Snapshot } from "../../src/store/snapshot.ts";
import { emptyDir, filesIn, TEMPLATES } from "./build-site.ts";
import { moreOf, pageFile, pageText, editedSite, SITE_PAGES, type EditedSite } from "./edited-site.ts";

const MODELS = [
  "schema: []\n",
  "schema: []\ndefault_template: landing.html\n",
  "schema: [{ name: who, kind: ref, target_model: cms.Page }]\n",
] as const;
const PARTS = [
  "one",
  "{{ page.title }} {{ localized_url('/p3') }} {{ localized_url('/x1') }}",
  "{% for each in articles() %}{{ each.title }}{% endfor %}",
] as const;

const pageOf = (n: number): number => (n % SITE_PAGES) + 1;
const parentOf = (n: number): string => `parent_page: ${pageOf(n)}\n`;

/** Saves a page anew. Most edits are of this sort: a person writes in the texts of a page. */
const EDITS: Readonly<Record<string, (site: EditedSite, a: number, b: number, out: string) => unknown>> = {
  text: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a), { title: `T${b}`, more: moreIn(site, pageOf(a)) })),
  words: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)),
      pageText(pageOf(a), {
        more: moreIn(site, pageOf(a)),
        text: `    description: D${b}\n    template_data: { body: "**${b}**", to: /p${b % 5} }\n`,
      }),
    ),
  touch: (site, a) => site.save(pageFile(pageOf(a)), site.git.text(pageFile(pageOf(a))) ?? pageText(pageOf(a))),
  back: (site, a) => site.save(pageFile(pageOf(a)), pageText(pageOf(a), { more: moreOf(pageOf(a)) })),
  updated: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)),
      pageText(pageOf(a), {
        more: `${moreIn(site, pageOf(a))}date_updated_at: 2026-02-0${(b % 9) + 1}T00:00:00.000Z\n`,
      }),
    ),
  move: (site, a, b) => site.save(pageFile(pageOf(a)), pageText(pageOf(a), { more: b % 3 ? parentOf(b) : "" })),
  order: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a), { more: `${moreIn(site, pageOf(a))}ordering: ${b}\n` })),
  rename: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a), { permalink: `/q${b}`, more: moreIn(site, pageOf(a)) })),
  take: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a), { permalink: `/p${pageOf(b)}`, more: moreIn(site, pageOf(a)) })),
  hide: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)),
      pageText(pageOf(a), { more: `deleted_at: ${b % 2 ? "2026-02-01T00:00:00.000Z" : "null"}\n` }),
    ),
  plan: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a)).replace("2026-01-02", `2026-03-0${1 + (b % 3)}`)),
  alias: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)),
      `${pageText(pageOf(a), { more: moreIn(site, pageOf(a)) })}aliases: [{ language: en, from: /old${b % 4} }]\n`,
    ),
  draft: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)).replace(".yaml", ".draft.it.yaml"),
      `language: it\nscheduled_for: ${b % 2 ? "2026-03-02T00:00:00.000Z" : "null"}\ncreated_at: 2026-01-01T00:00:00.000Z\nupdated_at: 2026-01-01T00:00:00.000Z\npayload: { title: D${b} }\n`,
    ),
  undraft: (site, a) => site.remove(pageFile(pageOf(a)).replace(".yaml", ".draft.it.yaml")),
  add: (site, a, b) =>
    site.save(`content/pages/n${a % 3}.yaml`, pageText(100 + (a % 3), { title: `N${b}`, more: parentOf(b) })),
  other: (site, a, b) =>
    site.save(
      pageFile(pageOf(a)).replace(".yaml", b % 2 ? ".md" : ".yml"),
      b % 2
        ? `---\nid: ${pageOf(a)}\ntranslations: { en: { title: MD${b}, permalink: /md${b}, published_at: 2026-01-01T00:00:00Z }, it: { permalink: /md${b} } }\n---\ntext\n`
        : pageText(pageOf(a), { title: `Y${b}` }),
    ),
  twin: (site, a, b) => site.save("content/pages/twin.yaml", pageText(pageOf(a), { title: `W${b}` })),
  remove: (site, a) =>
    site.remove(
      ["content/pages/twin.yaml", "content/pages/n0.yaml", "content/pages/n1.yaml", pageFile(pageOf(a))][a % 4]!,
    ),
  broken: (site, a) => site.save(pageFile(pageOf(a)), "id: [\n"),
  link({ dir, remove }, a) {
    remove(pageFile(pageOf(a)));
    symlinkSync("p2.yaml", join(dir, pageFile(pageOf(a))));
  },
  folder({ dir, remove }, a) {
    remove(pageFile(pageOf(a)));
    mkdirSync(join(dir, pageFile(pageOf(a))), { recursive: true });
  },
  stray: (site, a) => site.save(`content/pages/stray${a % 2}.txt`, "x"),
  article: (site, a, b) =>
    site.save(
      `content/articles/x${a % 2}.md`,
      `---\nid: ${200 + (a % 2)}\ntranslations: { en: { title: X${b}, ${b % 5 ? `permalink: /x${b % 3}, ` : ""}published_at: 2026-01-01T00:00:00Z } }\n---\n${b}\n`,
    ),
  landing: (site, a, b) =>
    site.save(
      "content/pages/landing.yaml",
      `id: 300\nmodel: Landing\ntranslations: { en: { title: L${b}, permalink: /landing, published_at: 2026-01-01T00:00:00Z, template_data: { who: ${pageOf(a)} } } }\n`,
    ),
  model: (site, _a, b) => site.save("content/page-models/Landing.yaml", MODELS[b % MODELS.length]!),
  menu: (site, a) =>
    site.save(
      "content/menus/main.yaml",
      `id: 5\nkey: main\ntranslations: { en: { nodes: [{ title: M${a}, link: { link_type: RE, url_node: ${pageOf(a)} } }] } }\n`,
    ),
  redirect: (site, a, b) => site.save("content/redirects.yaml", `- { from: /p${a % 4}, to: /p${b % 4} }\n`),
  template: (site, _a, b) => site.save("templates/part.html", PARTS[b % PARTS.length]!),
  media: (site, a, b) => site.save(`media/f${a % 3}.txt`, `${b}`),
  commit: ({ git }) => (git.git("add", "--all"), git.git("commit", "--quiet", "--allow-empty", "--message=Edit")),
  full: (site, _a, _b, out) => site.build(out, { full: true }),
  young: (site, a, b) =>
    site.save(pageFile(pageOf(a)), pageText(pageOf(a), { title: `Y${b}`, more: moreIn(site, pageOf(a)) }), true),
  forget: ({ dir }) => rmSync(join(dir, ".git/cms"), { recursive: true, force: true }),
  wait(site, a) {
    site.now = instantOf(msOf(site.now) + a * 3_000_000);
  },
  slash(site) {
    site.config = { ...site.config, APPEND_SLASH: !site.config.APPEND_SLASH };
  },
  spoil: (_site, a, _b, out) => rmSync(join(out, [...filesIn(out).keys()][a % filesIn(out).size]!)),
  async kill(site, a, _b, out) {
    let left = a % 3;
    const progress = (): void => {
      if (left-- === 0) throw new Error("killed");
    };
    await site.build(out, { progress }).catch((error: Error) => expect(error.message).toBe("killed"));
  },
};
/** The parent and the template the page has just now, as its file says it. */
const moreIn = ({ git }: EditedSite, n: number): string =>
  (git.text(pageFile(n))?.match(/^(parent_page|template): .*\n/gm) ?? []).join("");

/** All one can ask of a snapshot, in words that can be compared. */
function wordsOf(snapshot: Snapshot, langs: readonly Lang[]): unknown {
  const index = pageIndex(snapshot);
  const ids = [...Array.from({ length: SITE_PAGES + 2 }, (_, at) => at), 100, 101, 102, 200, 201, 300];
  const id = (page: { readonly id: number } | undefined): number | undefined => page?.id;
  return {
    found: KINDS.map((kind) => ids.map((each) => canonicalJson(snapshot.find(kind, each) ?? null))),
    children: ids.map((each) => index.childSummaries(each).map(id)),
    has: ids.map((each) => index.has(each)),
    permalinks: langs.map((lang) =>
      ids.flatMap((each) => [
        id(index.byPermalink(lang, `/p${each}`)),
        id(index.summaryByPermalink(lang, `/q${each}`)),
        id(index.byAlias(lang, `/old${each}`)),
      ]),
    ),
    versions: ids.map((each) =>
      KINDS.slice(0, 3).map((kind) => [snapshot.version(kind, each), snapshot.pathsOf(kind, each).sort()]),
    ),
    all: KINDS.map((kind) => canonicalJson(snapshot.all(kind))),
    summaries: KINDS.map((kind) => snapshot.summaries(kind).map(id)),
    bases: KINDS.map((kind) =>
      [...snapshot.table(kind).byBase]
        .map(([base, entry]) => [base, canonicalJson(entry.record), [...entry.files].sort()])
        .sort(),
    ),
    byId: KINDS.map((kind) => [...snapshot.table(kind).byId.keys()].sort()),
    scheduled: scheduledPages(snapshot).map(id).sort(),
    next: nextMoment(snapshot, "2026-01-01T00:00:00.000Z" as never),
    problems: snapshot.problems.map(({ path, message }) => `${path}: ${message}`).sort(),
  };
}

const edit = fc.record({
  name: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("text", "words", "updated") },
    { weight: 1, arbitrary: fc.constantFrom("plan", "wait", "article", "redirect", "take") },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(EDITS)) },
  ),
  a: fc.nat(200),
  b: fc.nat(200),
  builds: fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, fc.constant(false)),
  compares: fc.boolean(),
});

it("content from the caches is current, and a build of it equals a full one", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 10 }), async (edits) => {
      const site = editedSite({
        ...TEMPLATES,
        "content/menus/main.yaml": "id: 5\nkey: main\n",
        "content/tags/t.yaml": "id: 901\nname: { en: T }\n",
      });
      site.config = { ...site.config, RENDER: { ...site.config.RENDER } };
      const out = emptyDir();
      await site.build(out);
      for (const { name, a, b, builds, compares } of edits) {
        await EDITS[name]!(site, a, b, out);
        if (compares) {
          const cached = await site.open();
          const found = wordsOf(cached.store.current, ["en", "it"]);
          await cached.close();
          expect(found).toEqual(await site.fresh((cms) => wordsOf(cms.store.current, ["en", "it"])));
        }
        if (!builds) continue;
        await site.build(out);
      }
      await site.build(out);
      const whole = emptyDir();
      await site.buildFresh(whole);
      expect(filesIn(out)).toEqual(filesIn(whole));
    }),
    { numRuns: Number(process.env.RUNS ?? 25) },
  );
});
