/** What `as_of` reads is what is served at that moment after the sweep, whatever was planned. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { memorySite } from "../site.ts";
import { FILES, ids, named, step, type Step } from "../support/random-writes.ts";
import { answers } from "./reads.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const MOMENTS = ["2026-03-01T13:00:00.000Z", "2026-03-02T08:00:00.000Z", "2026-03-05T08:00:00.000Z"];

/** The commits of the sweep have other ids than those of the fork. */
const OF_COMMITS = /revisions|api:changes/;

const release: fc.Arbitrary<readonly [string, Step]> = fc
  .tuple(
    fc.uniqueArray(ids, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("publish", "unpublish", "trash"),
    fc.constantFrom(...MOMENTS),
  )
  .map(([pages, action, publish_at]) =>
    named(`release to ${action} ${pages} at ${publish_at}`, async ({ ask }) => {
      const body = { name: `of-${action}`, publish_at, items: pages.map((page) => ({ page, language: "it", action })) };
      await ask("POST", "api:releases/", { as: "staff", body });
    }),
  );

const planned: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  { weight: 1, arbitrary: step },
  { weight: 1, arbitrary: release },
  {
    weight: 2,
    arbitrary: fc
      .tuple(ids, fc.constantFrom("/a", "/x", "/y", null), fc.constantFrom("en", "it"), fc.constantFrom(...MOMENTS))
      .map(([id, permalink, lang, moment]) =>
        named(`draft of ${id} in ${lang} for ${moment}: ${permalink}`, async ({ ask }) => {
          const address = permalink === null ? { autopermalink: true } : { permalink, autopermalink: false };
          const body = { title: `Drafted ${lang}`, parent_page: id === 1 ? 2 : 1, ...address };
          await ask("PATCH", `api:pages/${id}/draft/?language=${lang}`, { as: "staff", body });
          await ask("POST", `api:pages/${id}/schedule/?language=${lang}`, {
            as: "staff",
            body: { publish_at: moment },
          });
        }),
      ),
  },
);

it("reads what the sweep leaves", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(planned, { minLength: 2, maxLength: 8 }),
      fc.constantFrom(...MOMENTS),
      async (steps, moment) => {
        const site = await memorySite(FILES);
        const template = join(site.cms.root, "templates/defaults/pages/default.html");
        mkdirSync(dirname(template), { recursive: true });
        writeFileSync(template, "<h1>{{ page.title }}</h1>");
        const told: string[] = [];
        for (const [what, write] of steps) {
          await write(site);
          told.push(what);
        }
        const { head } = await site.repo.state();
        const found = await answers(site, `as_of=${moment}`);
        expect((await site.repo.state()).head).toBe(head);
        site.clock.set(moment);
        await site.api("POST", "pages-router/publish-due");
        for (const [path, answer] of await answers(site)) {
          if (OF_COMMITS.test(path)) continue;
          expect([path, found.get(path)], `${told.join("; ")}; at ${moment}`).toEqual([path, answer]);
        }
        await expectSameAfterRestart(site);
      },
    ),
    { numRuns: Number(process.env.MOMENT_RUNS ?? 12) },
  );
}, 240_000);
