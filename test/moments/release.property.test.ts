/** What `release` reads is what is served after its publication, and taking it back leaves what was served before. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { memorySite, writeTemplate, type MemorySite } from "../site.ts";
import { FILES, ids, named, step, type Step } from "../support/random-writes.ts";
import { answers } from "./reads.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const RUNS = Number(process.env.MOMENT_RUNS ?? 8);

/** The commits of the publication and of the reversal are there afterwards. */
const OF_COMMITS = /revisions|api:changes/;

const draft: fc.Arbitrary<readonly [string, Step]> = fc
  .tuple(ids, fc.constantFrom("/a", "/x", "/y", null), fc.constantFrom("en", "it"))
  .map(([id, permalink, lang]) =>
    named(`draft of ${id} in ${lang}: ${permalink}`, async ({ ask }) => {
      const address = permalink === null ? { autopermalink: true } : { permalink, autopermalink: false };
      const body = { title: `Drafted ${lang}`, parent_page: id === 1 ? 2 : 1, ...address };
      await ask("PATCH", `api:pages/${id}/draft/?language=${lang}`, { as: "staff", body });
    }),
  );

const items = fc.uniqueArray(
  fc.record({
    page: ids,
    language: fc.constantFrom("en", "it"),
    action: fc.constantFrom("publish", "publish", "publish", "unpublish", "trash"),
  }),
  { minLength: 1, maxLength: 4, selector: ({ page }) => page },
);

const ofContent = async (site: MemorySite, query = ""): Promise<Map<string, string>> =>
  new Map([...(await answers(site, query))].filter(([path]) => !OF_COMMITS.test(path)));

async function committedFiles({ repo }: MemorySite): Promise<ReadonlyMap<string, string>> {
  const { head } = await repo.state();
  return repo.tree(head!, ["content"]);
}

it("reads what its publication leaves, and taking it back is the identity", async () => {
  let published = 0;
  const steps = fc.array(fc.oneof(step, { weight: 3, arbitrary: draft }), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, items, async (writes, release) => {
      const site = await memorySite(FILES);
      writeTemplate(site, "defaults/pages/default.html", "<h1>{{ page.title }}</h1>");
      for (const [, write] of writes) await write(site);
      const made = await site.ask("POST", "api:releases/", { as: "staff", body: { name: "spring", items: release } });
      if (made.status !== 201) return; // of a page that is not there
      const told = `${writes.map(([what]) => what).join("; ")}; release of ${JSON.stringify(release)}`;
      const { head } = await site.repo.state();
      const before = await ofContent(site);
      const { owners } = site.cms.store.current;
      const files = await committedFiles(site);
      const expected = await ofContent(site, "release=spring");
      expect((await site.repo.state()).head).toBe(head);
      const { status } = await site.ask("POST", "api:releases/spring/publish/", { as: "staff" });
      if (status !== 200) {
        expect([...expected.values()].map((answer) => answer.split("\n")[0])).toContain(String(status));
        return;
      }
      published++;
      for (const [path, answer] of await ofContent(site))
        expect([path, expected.get(path)], told).toEqual([path, answer]);
      await site.api("POST", "releases/spring/revert/");
      expect(await committedFiles(site), told).toEqual(files);
      // A permalink of two pages stays with the one that had it while the other was elsewhere.
      const ownersNow = site.cms.store.current.owners;
      expect([...ownersNow.keys()].sort(), told).toEqual([...owners.keys()].sort());
      if (!isDeepStrictEqual(ownersNow, owners)) return;
      for (const [path, answer] of await ofContent(site))
        expect([path, before.get(path)], told).toEqual([path, answer]);
      await expectSameAfterRestart(site);
    }),
    { numRuns: RUNS },
  );
  expect(published).toBeGreaterThan(0);
}, 240_000);
