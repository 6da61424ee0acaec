/** Review as two people have it: an author who proposes, and an editor who decides. */
import { describe, expect, it } from "vitest";
import { memorySite, type TestSite } from "../../../site.ts";
import { personAt } from "../../../support/people.ts";

const REQUIRED = [{ BELOW: "/journal", LANGUAGES: ["it"] }];
const AT = "2026-03-02T08:00:00Z";

async function site(required: readonly object[] = REQUIRED) {
  const opened = await memorySite({}, { REVIEW: { REQUIRED: required } } as object);
  const anna = await personAt(opened, "anna", { is_staff: true });
  const edith = await personAt(opened, "edith", { is_staff: true });
  const journal = await opened.page({ title: "Journal" }, ["en"]);
  const page = await anna.api("POST", "pages/", { title: "Harbour", parent_page: journal.id });
  await anna.api("POST", `pages/${page.id}/publish/?language=en`);
  await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Porto" });
  const propose = (body: object = { items: [{ page: page.id, language: "it" }] }) => anna.api("POST", "reviews/", body);
  const approve = async ({ name }: { name: string }, who = edith) => {
    const { hash } = await who.api("GET", `reviews/${name}/`);
    return who.api("POST", `reviews/${name}/decide/`, { verdict: "approve", hash });
  };
  return { ...opened, anna, edith, journal, page, propose, approve };
}

async function lastMessage({ store }: TestSite["cms"]): Promise<string> {
  const newest = await store.repo.log(store.current.commit!, null, [])[Symbol.asyncIterator]().next();
  return newest.done ? "" : newest.value.message;
}

const LACKING = '"Harbour" (it) goes live only with an approval by somebody who did not write it. ' + "It has 0.";
const BY_HAND = LACKING.replace("It has 0.", "It was changed otherwise than by a draft: save a draft, and propose it.");

describe("without an approval, nothing goes live", () => {
  it.each<[string, string, (page: number) => string, object?]>([
    ["published", "POST", (page) => `pages/${page}/publish/?language=it`],
    [
      "scheduled with the page",
      "POST",
      (page) => `pages/${page}/schedule/?language=it`,
      { publish_at: AT, with_draft: true },
    ],
    ["stamped", "PATCH", (page) => `pages/${page}/?language=it`, { published_at_it: "2026-01-01T00:00:00Z" }],
  ])("%s", async (_way, method, path, body) => {
    const { edith, page, repo } = await site();
    const before = repo.text("content/pages/journal/harbour.yaml");
    const refused = await edith.ask(method, path(page.id), body);
    expect([refused.status, refused.body]).toEqual([403, { detail: expect.stringContaining("who did not write it") }]);
    expect(repo.text("content/pages/journal/harbour.yaml")).toBe(before);
  });

  it("in a release, published or scheduled", async () => {
    const { edith, page } = await site();
    await edith.api("POST", "releases/", { name: "spring", items: [{ page: page.id, language: "it" }] });
    for (const [verb, body] of [
      ["publish", {}],
      ["schedule", { publish_at: AT }],
    ] as const) {
      const refused = await edith.ask("POST", `releases/spring/${verb}/`, body);
      expect([verb, refused.status, refused.body]).toEqual([verb, 403, { detail: LACKING }]);
    }
    expect(await edith.api("GET", "releases/spring/check/")).toMatchObject({ ok: false, refusal: LACKING });
    const planned = { name: "later", publish_at: AT, items: [{ page: page.id, language: "it" }] };
    expect((await edith.ask("POST", "releases/", planned)).status).toBe(403);
  });

  it("by the library, and not by moving the page elsewhere", async () => {
    const { cms, edith, page } = await site();
    const by = { name: "Script", email: "script@example.org" };
    await expect(cms.pages.publish(page.id, { by, lang: "it" })).rejects.toThrow(LACKING);
    const moved = await edith.ask("PATCH", `pages/${page.id}/`, {
      parent_page: null,
      published_at_it: "2026-01-01T00:00:00Z",
    });
    expect(moved.status).toBe(403);
  });

  it("elsewhere it does as before", async () => {
    const { edith, page, journal } = await site();
    await edith.api("POST", `pages/${page.id}/trash/`);
    await edith.api("POST", `pages/${page.id}/restore/`);
    await edith.api("PATCH", `pages/${page.id}/?language=en`, { title: "The harbour" });
    await edith.api("PATCH", `pages/${page.id}/draft/?language=en`, { title: "Our harbour" });
    expect((await edith.api("POST", `pages/${page.id}/publish/?language=en`)).title).toBe("Our harbour");
    await edith.api("PATCH", `pages/${journal.id}/draft/?language=en`, { title: "The journal" });
    await edith.api("POST", `pages/${journal.id}/publish/?language=en`);
  });
});

describe("a review", () => {
  it("is approved by another than the author, and the commit says by whom", async () => {
    const { anna, edith, page, propose, approve, repo, cms } = await site();
    const made = await propose();
    expect(made).toMatchObject({
      title: "Harbour",
      by: "anna",
      proposer: "Anna",
      state: "open",
      items: [{ page: page.id, language: "it", required: 1, approved_by: [] }],
    });
    expect(await edith.api("GET", "reviews/?asked")).toMatchObject([{ name: made.name }]);
    expect(await edith.api("GET", `reviews/of/${page.id}/?language=it`)).toMatchObject({
      ...{ required: 1, approved_by: [], may_publish: true, may_propose: true, reason: null },
      review: { name: made.name },
    });
    expect(await anna.api("GET", "reviews/?asked")).toEqual([]);
    const own = await anna.ask("POST", `reviews/${made.name}/decide/`, { verdict: "approve", hash: made.hash });
    expect([own.status, own.body]).toEqual([403, { detail: "You wrote this draft: somebody else has to approve it." }]);
    expect(await approve(made)).toMatchObject({ state: "approved", items: [{ approved_by: ["Edith"] }] });
    expect(await edith.api("GET", "reviews/?asked")).toEqual([]);
    await edith.api("POST", `pages/${page.id}/publish/?language=it`);
    expect(await lastMessage(cms)).toContain("\nReviewed-by: Edith <edith@example.org>");
    expect((await anna.api("GET", `reviews/${made.name}/`)).state).toBe("done");
    expect(repo.text(`content/reviews/${made.name}.yaml`)).toContain("authors:\n      - anna@example.org");
  });

  it("is void once the draft changes, and holds again once it is as it was approved", async () => {
    const { anna, edith, page, propose, approve } = await site();
    const made = await propose();
    await approve(made);
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Il porto" });
    expect(await edith.api("GET", `reviews/${made.name}/`)).toMatchObject({
      state: "open",
      decisions: [{ holds: false }],
    });
    expect((await edith.ask("POST", `pages/${page.id}/publish/?language=it`)).status).toBe(403);
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Porto" });
    expect((await edith.api("GET", `reviews/${made.name}/`)).state).toBe("approved");
  });

  it("is void once what all languages share changes below the draft", async () => {
    const { edith, page, propose, approve } = await site();
    const made = await propose();
    await approve(made);
    await edith.api("PATCH", `pages/${page.id}/`, { meta: { a: 1 } });
    expect((await edith.ask("POST", `pages/${page.id}/publish/?language=it`)).status).toBe(403);
  });

  it("is decided on what was seen", async () => {
    const { anna, edith, page, propose } = await site();
    const made = await propose();
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Il porto" });
    const late = await edith.ask("POST", `reviews/${made.name}/decide/`, { verdict: "approve", hash: made.hash });
    expect(late.status).toBe(409);
  });

  it("asks for changes, with a reason", async () => {
    const { anna, edith, page, propose, approve } = await site();
    const made = await propose({ items: [{ page: page.id, language: "it" }], asked: ["edith"] });
    const path = `reviews/${made.name}/decide/`;
    expect((await edith.ask("POST", path, { verdict: "changes", hash: made.hash })).body).toEqual({
      comment: ["Say which changes you ask for."],
    });
    const sent = { verdict: "changes", hash: made.hash, comment: "The year is wrong." };
    expect((await edith.api("POST", path, sent)).state).toBe("changes");
    expect(await edith.api("GET", "reviews/?asked")).toEqual([]);
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Il porto" });
    expect((await propose()).name).toBe(made.name);
    expect(await edith.api("GET", "reviews/?asked")).toMatchObject([{ name: made.name }]);
    expect((await approve(made)).state).toBe("approved");
  });

  it("is approved with edits, which make who approves no author", async () => {
    const { edith, page, propose } = await site();
    const { name, hash } = await propose();
    const draft = { page: page.id, language: "it", values: { title: "Il porto" } };
    const decided = await edith.api("POST", `reviews/${name}/decide/`, { verdict: "approve", hash, draft });
    expect(decided.state).toBe("approved");
    expect((await edith.api("POST", `pages/${page.id}/publish/?language=it`)).title).toBe("Il porto");
  });

  it("is not approved by who wrote a part of the draft", async () => {
    const { edith, page, propose } = await site();
    await edith.api("PATCH", `pages/${page.id}/draft/?language=it`, { description: "Barche" });
    const { name, hash } = await propose();
    expect((await edith.ask("POST", `reviews/${name}/decide/`, { verdict: "approve", hash })).status).toBe(403);
  });

  it("needs as many approvals as the setting says", async () => {
    const opened = await site([{ APPROVALS: 2, LANGUAGES: ["it"] }]);
    const { edith, page, propose, approve } = opened;
    const olga = await personAt(opened, "olga", { is_staff: true });
    const made = await propose();
    expect((await approve(made)).state).toBe("open");
    expect((await approve(made)).state).toBe("open");
    expect(await edith.api("GET", "reviews/?asked")).toEqual([]);
    const refused = await edith.ask("POST", `pages/${page.id}/publish/?language=it`);
    expect(refused.body.detail).toContain("2 approvals by people who did not write it. It has 1.");
    expect((await approve(made, olga)).state).toBe("approved");
    await edith.api("POST", `pages/${page.id}/publish/?language=it`);
  });

  it("is of a release as a whole", async () => {
    const { edith, anna, page, journal, propose, approve } = await site();
    await anna.api("PATCH", `pages/${journal.id}/draft/?language=it`, { title: "Diario" });
    const items = [page, journal].map(({ id }) => ({ page: id, language: "it" }));
    await anna.api("POST", "releases/", { name: "spring", items });
    const made = await propose({ release: "spring" });
    expect(made).toMatchObject({ release: "spring", title: "spring", items: [{}, {}] });
    await approve(made);
    await anna.api("PATCH", `pages/${journal.id}/draft/?language=it`, { title: "Il diario" });
    expect((await edith.ask("POST", "releases/spring/publish/")).status).toBe(403);
    await approve(made);
    await edith.api("POST", "releases/spring/publish/");
    expect((await edith.api("GET", `reviews/${made.name}/`)).state).toBe("done");
  });

  it("is taken back by who proposed it, and goes with its page", async () => {
    const { anna, edith, page, propose, repo } = await site();
    const { name } = await propose();
    await anna.api("DELETE", `reviews/${name}/`);
    const { name: other } = await propose();
    await edith.api("DELETE", `pages/${page.id}/`);
    expect(repo.text(`content/reviews/${other}.yaml`)).toBeUndefined();
  });
});

describe("a scheduled publication", () => {
  const scheduled = async () => {
    const opened = await site();
    const made = await opened.propose();
    await opened.approve(made);
    const path = `pages/${opened.page.id}/schedule/?language=it`;
    await opened.edith.api("POST", path, { publish_at: AT, with_draft: true });
    return { ...opened, made };
  };
  const shown = async ({ ask }: Awaited<ReturnType<typeof site>>) =>
    (await ask("GET", "api:pages-router/it/journal/porto/")).status;

  it("of an approved draft happens on its second, with who approved it", async () => {
    const opened = await scheduled();
    opened.clock.set("2026-03-02T07:59:59Z");
    await opened.cms.publishDue({ by: { name: "Timer", email: "timer@example.org" } });
    expect(await shown(opened)).toBe(404);
    opened.clock.set(AT);
    await opened.cms.publishDue({ by: { name: "Timer", email: "timer@example.org" } });
    expect(await shown(opened)).toBe(200);
    const message = await lastMessage(opened.cms);
    expect(message).toContain("Cms-Action: publish-due");
    expect(message).toContain("Reviewed-by: Edith <edith@example.org>");
  });

  it("is protected from edits that would let the page below go live", async () => {
    const { anna, page } = await scheduled();
    expect((await anna.ask("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Il porto" })).status).toBe(403);
    expect((await anna.ask("POST", `pages/${page.id}/discard-draft/?language=it`)).status).toBe(403);
  });

  it("of a draft that was edited since does not happen, on a page that is public already", async () => {
    const opened = await scheduled();
    const { anna, edith, page, propose, approve, clock, cms, logged } = opened;
    clock.set(AT);
    await cms.publishDue({ by: { name: "Timer", email: "timer@example.org" } });
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Il porto" });
    await approve(await propose());
    await edith.api("POST", `pages/${page.id}/schedule/?language=it`, { publish_at: "2026-03-03T08:00:00Z" });
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Un porto" });
    clock.set("2026-03-03T08:00:00Z");
    expect(await cms.publishDue({ by: { name: "Timer", email: "timer@example.org" } })).toEqual({
      published: 0,
      failed: 1,
    });
    expect(logged.join("\n")).toContain(`in it is due but cannot be published: ${LACKING}`);
  });
});

describe("live values", () => {
  it("of a public page are not changed without a draft", async () => {
    const { edith, page, propose, approve, anna } = await site();
    await approve(await propose());
    await edith.api("POST", `pages/${page.id}/publish/?language=it`);
    const refused = await edith.ask("PATCH", `pages/${page.id}/?language=it`, { title: "Altro" });
    expect([refused.status, refused.body]).toEqual([403, { detail: BY_HAND }]);
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Altro" });
    await approve(await propose());
    await edith.api("POST", `pages/${page.id}/publish/?language=it`);
    const [, before] = await edith.api("GET", `pages/${page.id}/revisions/`);
    const back = { languages: ["it"] };
    expect((await edith.ask("POST", `pages/${page.id}/revert/${before.id}/`, back)).status).toBe(403);
    await edith.api("POST", `pages/${page.id}/trash/`);
    await edith.api("POST", `pages/${page.id}/restore/`);
  });
});
