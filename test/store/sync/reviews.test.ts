/** Review under two servers that sync: what is approved is approved after a merge only if it still is the same. */
import { expect, it } from "vitest";
import { publishPage, savePageDraft } from "../../../src/actions/pages/pages.ts";
import { decideReview, proposeReview } from "../../../src/actions/review/reviews.ts";
import { openCms, type Cms } from "../../../src/cms.ts";
import { defaultConfig } from "../../../src/config.ts";
import { getReview, stateOfReview } from "../../../src/store/content/indexes/reviews.ts";
import { REVIEWS } from "../../../src/store/records/people/reviews.ts";
import { reviewPayload } from "../../../src/views/review/review.ts";
import { quietEnv } from "../git/git-site.ts";
import { publicViewOf } from "../../site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const HARBOUR = `id: 12
date_created: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: Harbour
    permalink: /harbour
`;

const personOf = (username: string) => ({ username, name: username, email: `${username}@example.org` });
const as = (username: string) => ({ by: personOf(username), person: personOf(username) });
const permit = (): void => undefined;

/** Works on a clone with the site open. @param approvals that Italian needs */
async function on<T>(clone: Clone, approvals: number, work: (cms: Cms) => Promise<T>): Promise<T> {
  const config = defaultConfig({
    REVIEW: { REQUIRED: [{ MODELS: null, BELOW: null, LANGUAGES: ["it"], APPROVALS: approvals }] },
  });
  const cms = await openCms(clone.dir, { env: quietEnv(), config });
  try {
    return await work(cms);
  } finally {
    await cms.close();
  }
}

const draft = (cms: Cms, title: string) =>
  savePageDraft(cms, personOf("anna"), 12, { title }, { lang: "it", mode: "merge" });
const onlyReview = (cms: Cms) => getReview(cms.store.current, cms.store.current.all(REVIEWS)[0]!.name);
const stateIn = (cms: Cms) =>
  stateOfReview(cms.store.current, onlyReview(cms), cms.config.REVIEW.REQUIRED, cms.locales);

async function approve(cms: Cms, who: string): Promise<void> {
  const { name } = onlyReview(cms);
  const { hash } = reviewPayload(publicViewOf(cms), onlyReview(cms));
  await decideReview(cms, as(who), { name, body: { verdict: "approve", hash }, permit });
}

/** Two clones that both have what anna proposes. */
async function proposed(approvals: number): Promise<readonly [Clone, Clone]> {
  const remote = bareRemote({ "content/pages/harbour.yaml": HARBOUR });
  const [a, b] = [remote.clone(), remote.clone()];
  await on(a, approvals, async (cms) => {
    await draft(cms, "Porto");
    await proposeReview(cms, as("anna"), { items: [{ page: 12, language: "it" }] }, permit);
  });
  await a.sync();
  await b.sync();
  return [a, b];
}

async function exchange(a: Clone, b: Clone): Promise<void> {
  await a.sync();
  await b.sync();
  await a.sync();
  expect([complaintsOf(a), complaintsOf(b)]).toEqual(["", ""]);
}

it("joins decisions of both", { timeout: 60_000 }, async () => {
  const [a, b] = await proposed(2);
  await on(a, 2, (cms) => approve(cms, "edith"));
  await on(b, 2, (cms) => approve(cms, "olga"));
  await exchange(a, b);
  for (const clone of [a, b]) {
    await on(clone, 2, async (cms) => {
      expect(
        onlyReview(cms)
          .decisions.map(({ username }) => username)
          .sort(),
      ).toEqual(["edith", "olga"]);
      expect(stateIn(cms)).toBe("approved");
    });
  }
  await on(b, 2, (cms) => publishPage(cms, personOf("edith"), 12, "it"));
  expect(b.git("log", "-1", "--format=%(trailers:key=Reviewed-by,valueonly)").trim().split("\n").sort()).toEqual([
    "edith <edith@example.org>",
    "olga <olga@example.org>",
  ]);
});

it("is not approved where the draft was edited on the other", { timeout: 60_000 }, async () => {
  const [a, b] = await proposed(1);
  await on(a, 1, (cms) => approve(cms, "edith"));
  await on(b, 1, (cms) => draft(cms, "Il porto"));
  await exchange(a, b);
  for (const clone of [a, b]) {
    await on(clone, 1, async (cms) => {
      expect([onlyReview(cms).decisions.length, stateIn(cms)]).toEqual([1, "open"]);
      await expect(publishPage(cms, personOf("edith"), 12, "it")).rejects.toThrow("It has 0.");
    });
  }
});
