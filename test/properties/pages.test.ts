/** Properties of random pages and random sequences of actions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../../src/model/input/json.ts";
import { instantOf, msOf, showInstant } from "../../src/model/time/instant.ts";
import { memorySite, type MemorySite, writeTemplate } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

/** In milliseconds; generous, for slow machines. */
const TIMEOUT = 60_000;

const LANGS = ["en", "it"] as const;
type Lang = (typeof LANGS)[number];
const langs = fc.constantFrom(...LANGS);

/** It must have no problems, before a restart and after it. */
async function expectReload(site: MemorySite): Promise<void> {
  expect(site.cms.store.current.problems).toEqual([]);
  await expectSameAfterRestart(site);
}

describe("one language", () => {
  /** The Italian part as people write it: every style of YAML, comments, odd spacing. */
  const italian = fc
    .tuple(
      fc.constantFrom(
        "title: Chi siamo",
        "title: 'Chi siamo'",
        'title:   "Chi s\\u0069amo"   # il titolo',
        "title: >-\n      Chi\n      siamo",
      ),
      // oxfmt-ignore
      fc.subarray([
        "# una nota\n    description: |\n      due\n        righe\n",
        "keywords:    vela,   mare",
        "template_data: { a: 1,  b: [ 1,2 ], c: 'x' }",
        "template_data:\n      body: >\n        piegato\n        testo\n\n        fine\n      # in fondo\n      list:\n      - 1\n      -   2",
        "og_title: \"\"",
        "indexable: false",
        "published_at: 2026-01-01T00:00:00+01:00",
        "unknown_key: kept",
      ]),
    )
    .filter(([, rest]) => rest.filter((line) => line.startsWith("template_data")).length < 2)
    .map(([title, rest]) => `  it:\n    ${[title, "permalink: /chi-siamo", ...rest].join("\n    ")}\n`);
  const verbs = fc.array(
    fc.oneof(
      fc.record({ verb: fc.constant("patch"), title: fc.constantFrom("About", "Us", 'We: "who"?', "# no") }),
      fc.record({ verb: fc.constant("draft"), title: fc.constantFrom("Drafted", "Drafted twice") }),
      fc.constant({ verb: "publish", title: "" }),
      fc.constant({ verb: "hide", title: "" }),
    ),
    { minLength: 1, maxLength: 6 },
  );

  it(
    "is published, changed and hidden without a byte of the others' text moving",
    async () => {
      const englishFirst = fc.boolean();
      await fc.assert(
        fc.asyncProperty(italian, verbs, englishFirst, async (text, steps, first) => {
          const english = "  en:\n    title: About   # here\n    permalink: /about\n";
          const path = "content/pages/about.yaml";
          const site = await memorySite({
            [path]: `# by hand\nid: 7\ntranslations:\n${first ? english + text : text + english}`,
          });
          expect(site.cms.store.current.problems).toEqual([]);
          for (const { verb, title } of steps) {
            if (verb === "patch") await site.api("PATCH", "pages/7/", { title });
            if (verb === "draft") await site.api("PATCH", "pages/7/draft/", { title });
            if (verb === "publish") await site.api("POST", "pages/7/publish/");
            if (verb === "hide") await site.api("PATCH", "pages/7/", { published_at: null });
            expect(site.repo.text(path)).toContain(text);
            expect(site.repo.text(path)).toMatch(/^# by hand\n/);
          }
          await expectReload(site);
        }),
        { numRuns: 40 },
      );
    },
    TIMEOUT,
  );
});

describe("actions in any order", () => {
  interface Reference {
    deleted: boolean;
    readonly published: Record<Lang, number | null>;
    /** undefined: no draft; null: a draft without schedule. */
    readonly draft: Record<Lang, number | null | undefined>;
  }

  type Step = { readonly verb: string; readonly at: number; readonly lang: Lang; readonly hours: number };

  const step: fc.Arbitrary<Step> = fc.record({
    verb: fc.constantFrom(
      "draft",
      "discard",
      "publish",
      "schedule",
      "schedule",
      "trash",
      "restore",
      "clear",
      "rename",
      "tick",
      "sweep",
      "read",
    ),
    at: fc.nat({ max: 1 }),
    lang: langs,
    hours: fc.integer({ min: -3, max: 5 }),
  });

  function publish(page: Reference, lang: Lang, now: number): void {
    page.draft[lang] = undefined;
    const stamp = page.published[lang];
    page.published[lang] = stamp !== null && stamp <= now ? stamp : now;
  }

  function publishIfDue(page: Reference, lang: Lang, now: number): void {
    const due = page.draft[lang];
    if (typeof due === "number" && due <= now) publish(page, lang, now);
  }

  /** The effect of each action on the reference model. */
  function refer(pages: readonly Reference[], { verb, at, lang, hours }: Step, now: number): void {
    const page = pages[at]!;
    const moment = now + hours * 3_600_000;
    const stamp = page.published[lang];
    if (verb === "draft") page.draft[lang] ??= null;
    if (verb === "discard") page.draft[lang] = undefined;
    if (verb === "publish") publish(page, lang, now);
    if (verb === "schedule") {
      if (stamp === null || stamp > now) page.published[lang] = moment;
      if (stamp !== null && page.draft[lang] !== undefined) page.draft[lang] = moment;
    }
    if (verb === "trash") page.deleted = true;
    if (verb === "restore") page.deleted = false;
    if (verb === "clear") page.published[lang] = null;
    if (verb === "sweep") for (const each of pages) for (const code of LANGS) publishIfDue(each, code, now);
    if (verb === "read" && !page.deleted) publishIfDue(page, lang, now);
  }

  async function perform(site: MemorySite, id: number, { verb, lang, hours }: Step): Promise<void> {
    const { api, ask, clock } = site;
    const query = `?language=${lang}`;
    if (verb === "draft")
      await api("PATCH", `pages/${id}/draft/${query}`, { keywords: `k${hours}`, title: `T${hours}` });
    if (verb === "discard") await api("POST", `pages/${id}/discard-draft/${query}`);
    if (verb === "publish" || verb === "trash" || verb === "restore") await api("POST", `pages/${id}/${verb}/${query}`);
    if (verb === "schedule")
      await api("POST", `pages/${id}/schedule/${query}`, {
        publish_at: instantOf(msOf(clock.now()) + hours * 3_600_000),
      });
    if (verb === "clear") await api("PATCH", `pages/${id}/${query}`, { published_at: null });
    if (verb === "rename") await api("PATCH", `pages/${id}/${query}`, { title: `T${hours}` });
    if (verb === "tick") clock.tick(Math.abs(hours) * 3_600_000);
    if (verb === "sweep") await api("POST", "pages-router/publish-due");
    if (verb === "read") {
      const { permalink } = await api("GET", `pages/${id}/${query}`);
      await ask("GET", `api:pages-router${lang === "it" ? "/it" : ""}${permalink}/`);
    }
  }

  function shown({ deleted, published, draft }: Reference, lang: Lang, now: number): object {
    const stamp = published[lang];
    const moment = (ms: number | null | undefined): string | null =>
      typeof ms === "number" ? showInstant(instantOf(ms)) : null;
    return {
      status: deleted ? "TRS" : stamp === null ? "DRF" : stamp <= now ? "PUB" : "PLA",
      published_at: moment(stamp),
      has_draft: draft[lang] !== undefined,
      draft_scheduled_for: moment(draft[lang]),
    };
  }

  it(
    "leave the states the tables say, and a tree that loads again without a problem",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const site = await memorySite();
          const parent = await site.page({ title: "T1" });
          const child = await site.page({ title: "T1", parent_page: parent.id });
          const ids = [parent.id, child.id];
          const pages = ids.map((): Reference => ({
            deleted: false,
            published: { en: null, it: null },
            draft: { en: undefined, it: undefined },
          }));
          for (const each of steps) {
            const now = msOf(site.clock.now());
            await perform(site, ids[each.at], each);
            refer(pages, each, now);
            for (const [at, id] of ids.entries()) {
              for (const lang of LANGS) {
                const page = await site.api("GET", `pages/${id}/?language=${lang}`);
                expect(page).toMatchObject(shown(pages[at]!, lang, msOf(site.clock.now())));
              }
            }
          }
          await expectReload(site);
        }),
        { numRuns: 40 },
      );
    },
    TIMEOUT,
  );
});

/** Typical and odd texts; some are refused, which does not matter here. */
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "no",
    "null",
    "~",
    "1e3",
    "2026-01-01",
    "# x",
    "- y",
    "a: b",
    "'",
    '"',
    "",
    "  x  ",
    "x\ny",
    "{}",
    "|",
    "!!js",
    "&a *a",
  ),
);
const jsonObject = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const body = fc.record(
  {
    title_en: fc.option(text),
    title_it: fc.option(text),
    description_en: fc.option(text),
    keywords_it: fc.option(text),
    og_title_en: fc.option(text),
    template_data_en: fc.oneof(jsonObject, fc.jsonValue({ maxDepth: 2 })),
    template_data_it: jsonObject,
    meta: jsonObject,
    ordering: fc.nat({ max: 1000 }),
    indexable_it: fc.boolean(),
    template: fc.constantFrom(null, "", "defaults/pages/default.html", "listing.html"),
    autopermalink_en: fc.boolean(),
    permalink_en: text,
    published_at_it: fc.constantFrom(null, "2026-01-01T00:00:00.5Z"),
  },
  { requiredKeys: [] },
);

it(
  "writing back what was read makes no commit, and the tree says what was acknowledged",
  async () => {
    const site = await memorySite();
    writeTemplate(site, "listing.html");
    await fc.assert(
      fc.asyncProperty(body, langs, fc.constantFrom("PATCH", "PUT"), async (sent, lang, method) => {
        const made = await site.ask("POST", `api:pages/?language=${lang}`, { as: "staff", body: sent });
        fc.pre(made.status === 201);
        const path = `pages/${made.body.id}/?language=${lang}`;
        const { head } = await site.repo.state();
        site.clock.tick(1000);
        const read = await site.api("GET", path);
        expect(read).toEqual(made.body);
        expect(await site.api(method, path, read)).toEqual(read);
        expect((await site.repo.state()).head).toBe(head);
        await expectReload(site);
        await site.api("DELETE", `pages/${made.body.id}/`);
      }),
      { numRuns: 100 },
    );
  },
  TIMEOUT,
);

it(
  "a manifest hash moves exactly when the page's public payload does",
  async () => {
    const write = fc.record({
      at: fc.nat({ max: 2 }),
      lang: langs,
      what: fc.constantFrom<[string, string, Json?][]>(
        ["PATCH", "", { title: "A" }],
        ["PATCH", "", { title: "B" }],
        ["PATCH", "", { description: "" }],
        ["PATCH", "", { description: null }],
        ["PATCH", "", { template_data: { a: 1 } }],
        ["PUT", "", { template_data: {} }],
        ["PATCH", "draft/", { title: "D" }],
        ["POST", "discard-draft/"],
        ["POST", "publish/"],
        ["POST", "trash/"],
        ["POST", "restore/"],
        ["PATCH", "", { published_at: null }],
        ["POST", "schedule/", { publish_at: "2026-03-01T12:00:03Z" }],
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 10 }), async (writes) => {
        const site = await memorySite();
        const ids: number[] = [];
        for (const title of ["A", "B", "C"])
          ids.push((await site.page({ title, parent_page: ids.at(-1) ?? null }, ["en", "it"])).id);
        // Payloads and hashes correspond one to one, over all moments.
        const payloads = new Map<string, string>();
        const hashes = new Map<string, string>();
        const look = async (): Promise<void> => {
          await site.api("POST", "pages-router/publish-due"); // otherwise a read would, between the two answers
          const { urls } = (await site.ask("GET", "api:pages-router/changes")).body;
          for (const { path, hash } of urls) {
            const payload = canonicalJson((await site.ask("GET", `api:pages-router${path}`)).body);
            expect(payloads.get(hash) ?? payload).toBe(payload);
            expect(hashes.get(payload) ?? hash).toBe(hash);
            payloads.set(hash, payload);
            hashes.set(payload, hash);
          }
        };
        await look();
        for (const {
          at,
          lang,
          what: [method, action, sent],
        } of writes) {
          site.clock.tick(1000);
          await site.api(method, `pages/${ids[at]}/${action}?language=${lang}`, sent);
          await look();
        }
        await expectReload(site);
      }),
      { numRuns: 25 },
    );
  },
  TIMEOUT,
);
