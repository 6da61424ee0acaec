/** A release is previewed as it is published, and taking it back is as if it had never been. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { memorySite, type MemorySite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const TITLES = ["Boats", "Harbour", "Pier", "Winter", "Offers", "A"];

interface PagePlan {
  readonly title: string;
  readonly parent: number;
  readonly published: readonly string[];
  readonly drafts: readonly { readonly lang: string; readonly title: string }[];
  readonly action: "publish" | "unpublish" | "trash" | "none";
  readonly lang: string;
}

const LANG = fc.constantFrom("en", "it");
const PAGE: fc.Arbitrary<PagePlan> = fc.record({
  title: fc.constantFrom(...TITLES),
  parent: fc.nat(3),
  published: fc.subarray(["en", "it"]),
  drafts: fc.uniqueArray(fc.record({ lang: LANG, title: fc.constantFrom(...TITLES, "New") }), {
    maxLength: 2,
    selector: ({ lang }) => lang,
  }),
  action: fc.constantFrom("publish", "publish", "unpublish", "trash", "none"),
  lang: LANG,
});

/** A site with the pages, and a release of their actions. */
async function siteOf(plans: readonly PagePlan[]): Promise<MemorySite> {
  const site = await memorySite();
  const ids: number[] = [];
  for (const { title, parent, published, drafts } of plans) {
    const above = ids[parent - 1];
    const body = { title_en: title, title_it: `${title} it`, ...(above !== undefined && { parent_page: above }) };
    const page = await site.page(body, published);
    ids.push(page.id);
    for (const draft of drafts)
      await site.api("PATCH", `pages/${page.id}/draft/?language=${draft.lang}`, { title: draft.title });
  }
  const items = plans.flatMap(({ action, lang }, at) =>
    action === "none" ? [] : [{ page: ids[at], action, ...(action !== "trash" && { language: lang }) }],
  );
  await site.api("POST", "menus/", {
    key: "main",
    nodes_en: ids.map((id) => ({ title: "Page", link: { link_type: "RE", url_node: id } })),
  });
  await site.api("POST", "releases/", { name: "spring", items });
  site.clock.tick(60_000);
  return site;
}

const PATHS = TITLES.flatMap((title) => [title, "New"].map((each) => each.toLowerCase())).flatMap((slug) => [
  `pages-router/${slug}/`,
  `pages-router/${slug}-2/`,
  `pages-router/it/${slug}-it/`,
  ...TITLES.map((above) => `pages-router/${above.toLowerCase()}/${slug}/`),
]);
const READS = [...new Set(PATHS), "pages-router/changes", "menus-router/main/"].map((path) => `api:${path}`);
const SITE_READS = ["/sitemap.xml", "/boats/index.json", "/new/index.json"];

async function answers(site: MemorySite, query: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const path of [...READS, ...SITE_READS]) {
    const { status, text } = await site.ask("GET", path + query, { as: query === "" ? null : "staff" });
    found[path] = [status, text];
  }
  return found;
}

const treeOf = async ({ repo }: MemorySite) => repo.tree((await repo.state()).head!, ["content"]);

it(
  "?release= is what is served after it was published, and taking it back is the identity",
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(PAGE, { minLength: 1, maxLength: 5 }), async (plans) => {
        const site = await siteOf(plans);
        const [before, tree] = [await answers(site, ""), await treeOf(site)];
        const check = await site.api("GET", "releases/spring/check/");
        const previewed = await answers(site, "?release=spring");
        expect([await answers(site, ""), await treeOf(site)]).toEqual([before, tree]);
        const published = await site.ask("POST", "api:releases/spring/publish/", { as: "staff" });
        expect(published.status === 200).toBe(check.ok);
        if (published.status !== 200) {
          expect(await treeOf(site)).toEqual(tree);
          await expectSameAfterRestart(site);
          return;
        }
        expect(previewed).toEqual(await answers(site, ""));
        expect((await site.api("POST", "releases/spring/revert/")).conflicts).toEqual([]);
        expect(await treeOf(site)).toEqual(tree);
        await expectSameAfterRestart(site);
      }),
      { numRuns: 12 },
    );
  },
);
