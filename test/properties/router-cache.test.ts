/** What the public router answers, from its cache or not, is what it would make anew, whatever was written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pagePayload } from "../../src/views/page/page.ts";
import { resolveRoute } from "../../src/views/page/route.ts";
import { memorySite, publicViewOf, type MemorySite } from "../site.ts";
import { byHand, FILES, ids, named, step } from "../support/random-writes.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

/** Milliseconds; a slow machine is no failure. */
const TIMEOUT = 240_000;

const ORIGIN = "http://test.local";
const PATHS = ["/a", "/b", "/c", "/p1", "/p2", "/p3"].flatMap((path) => [`${path}/`, `/it${path}/`, path]);
const QUERIES = ["", "?included_translations=all"];

const MEDIA = { "media/a.jpg": "jpg", "content/media/a.jpg.yaml": "id: 400\n" };

/** Of what the others do not write: media, and drafts that are due before or after the next read. */
const more = fc.oneof(
  ids.map((id) =>
    named(`image of ${id}`, ({ ask }) => ask("PATCH", `api:pages/${id}/`, { as: "staff", body: { og_image: 400 } })),
  ),
  fc.constantFrom("Lamp", "Buoy").map((title) =>
    named(
      `image ${title}`,
      byHand(({ repo }) =>
        repo.write("content/media/a.jpg.yaml", `id: 400\ntranslations: { en: { title: ${title} } }\n`),
      ),
    ),
  ),
  fc.tuple(ids, fc.constantFrom("New", "Newer")).map(([id, title]) =>
    named(`draft of ${id} ${title}, planned`, async ({ ask, clock }) => {
      await ask("PATCH", `api:pages/${id}/draft/`, { as: "staff", body: { title } });
      const publish_at = new Date(Date.parse(clock.now()) + 10_000).toISOString();
      await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body: { publish_at } });
    }),
  ),
);

function madeAnew({ cms }: MemorySite, path: string, query: string): unknown {
  const view = { ...publicViewOf(cms), origin: ORIGIN };
  const route = resolveRoute(view, path);
  if (route.kind === "missing") return 404;
  if (route.kind === "redirect") return { redirect: route.to, status: route.status };
  return JSON.parse(JSON.stringify(pagePayload({ ...view, lang: route.lang }, route.page, query ? ["en", "it"] : [])));
}

async function answered({ ask }: MemorySite, path: string, query: string): Promise<unknown> {
  const { status, body } = await ask("GET", `api:pages-router${path}${query}`);
  return status === 200 ? body : status;
}

describe("the router after any writes", () => {
  it(
    "answers what it would make anew",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(step, step, more), { minLength: 1, maxLength: 8 }), async (steps) => {
          const site = await memorySite({ ...FILES, ...MEDIA });
          const told: string[] = [];
          for (const [what, write] of [["the start", () => undefined] as const, ...steps]) {
            await write(site);
            told.push(what);
            for (const path of PATHS)
              for (const query of QUERIES)
                expect(await answered(site, path, query), `${path}${query} after ${told.join("; ")}`).toEqual(
                  madeAnew(site, path, query),
                );
          }
          await expectSameAfterRestart(site);
        }),
        { numRuns: 40 },
      );
    },
    TIMEOUT,
  );
});
