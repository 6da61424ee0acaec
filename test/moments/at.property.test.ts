/** What `at` reads of a commit is what a fresh clone of that commit serves, whatever was written before and after it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { SettingsInput } from "../../src/config.ts";
import type { Oid } from "../../src/store/repo.ts";
import { memorySite, siteOver, temporaryFolder, type MemorySite, type TestSite } from "../site.ts";
import { png } from "../media/media-site.ts";
import { byHand, FILES, ids, named, step, type Step } from "../support/random-writes.ts";
import { answers } from "./reads.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const TEMPLATE = "templates/defaults/pages/default.html";
const CARD = "templates/defaults/pages/card.html";
const SETTINGS = "cms.config.yaml";

const FILES_OF_SITE = {
  ...FILES,
  [TEMPLATE]: "<h1>{{ page.title }}</h1>",
  [CARD]: "{{ page.title }} of {{ settings.LANGUAGE_CODE }}",
  "static/style.css": "a {}",
  "media/note.txt": "one",
};

const PICTURES = { small: await png(40, 30), large: await png(90, 90) };

const ofSite: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  { weight: 6, arbitrary: step },
  fc
    .constantFrom("<h2>{{ page.title }}</h2>", "{% for each in page.children %}{{ each.title }}{% endfor %}")
    .map((text) =>
      named(
        `template ${text}`,
        byHand(({ repo }) => repo.write(TEMPLATE, text)),
      ),
    ),
  fc
    .constantFrom(
      "APPEND_SLASH: false\n",
      "LANGUAGE_CODE: it\n",
      "LANGUAGES: { en: English }\n",
      "BASE_URL: https://example.org\n",
    )
    .map((text) =>
      named(
        `settings ${text}`,
        byHand(({ repo }) => repo.write(SETTINGS, text)),
      ),
    ),
  fc.constantFrom("b {}", "c {}").map((text) =>
    named(
      `static ${text}`,
      byHand(({ repo }) => repo.write("static/style.css", text)),
    ),
  ),
  fc.constantFrom("two", "three", null).map((text) =>
    named(
      `note ${text}`,
      byHand(({ repo }) => (text === null ? repo.erase("media/note.txt") : repo.write("media/note.txt", text))),
    ),
  ),
  fc.constantFrom("small", "large", "small").map((size) =>
    named(
      `picture, ${size}`,
      byHand(({ repo }) => repo.write("media/by-hand.png", PICTURES[size as "small"])),
    ),
  ),
  fc
    .constantFrom("small", "large")
    .map((size) => named(`upload of a picture, ${size}`, upload(PICTURES[size as "small"]))),
  fc.tuple(ids, fc.constantFrom("/a", "/x")).map(([id, permalink]) =>
    named(`draft of ${id}: ${permalink}`, async ({ ask }) => {
      const body = { title: "Drafted", permalink, autopermalink: false };
      await ask("PATCH", `api:pages/${id}/draft/`, { as: "staff", body });
      await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body: { publish_at: "2026-04-01T00:00:00Z" } });
    }),
  ),
);

/** With a thumbnail, which is in no commit. */
function upload(bytes: Buffer): Step {
  return async ({ ask }) => {
    const data = new FormData();
    data.append("file", new File([new Uint8Array(bytes)], "photo.png"));
    const form = new Response(data);
    const headers = { "content-type": form.headers.get("content-type")! };
    await ask("POST", "api:media/", { as: "staff", body: new Uint8Array(await form.arrayBuffer()), headers });
  };
}

it("reads what a clone of the commit serves", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ofSite, { minLength: 2, maxLength: 8 }), async (steps) => {
      const site = await memorySite(FILES_OF_SITE);
      const commits = new Map<Oid, string>();
      const told: string[] = [];
      for (const [what, write] of [["the start", () => undefined] as const, ...steps]) {
        await write(site);
        told.push(what);
        commits.set((await site.repo.state()).head!, told.join("; "));
      }
      for (const [commit, history] of commits) {
        const clone = await cloneOf(site, commit);
        const expected = await answers(clone);
        const found = await answers(site, `at=${commit}`);
        for (const [path, answer] of expected) expect([path, found.get(path)], history).toEqual([path, answer]);
      }
      await expectSameAfterRestart(site);
    }),
    { numRuns: Number(process.env.MOMENT_RUNS ?? 8) },
  );
}, 240_000);

/** As a server that refuses writes serves it: drafts that are due stay drafts. */
async function cloneOf({ repo, clock }: MemorySite, commit: Oid): Promise<TestSite> {
  const root = await temporaryFolder();
  const clone = repo.cloneAt(commit, { root, stateDir: root });
  for (const [path] of await clone.tree(commit, ["templates", "static", "media", SETTINGS])) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), (await clone.read(path))!.bytes);
  }
  return siteOver(clone, root, parse(clone.text(SETTINGS) ?? "{}") as SettingsInput, clock.now());
}
