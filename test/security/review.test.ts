/** Review against those who know how it works: by side doors, nothing goes live that others have not approved. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../site.ts";
import { personAt, type TestPerson } from "../support/people.ts";

const AT = "2026-03-02T08:00:00Z";
const HARBOUR = { title: "Harbour", title_it: "Porto" };

async function site(required: object = { BELOW: "/journal", LANGUAGES: ["it"] }, files: Record<string, string> = {}) {
  const opened = await memorySite(files, { REVIEW: { REQUIRED: [required] } } as object);
  const [anna, edith] = [
    await personAt(opened, "anna", { is_staff: true }),
    await personAt(opened, "edith", { is_staff: true }),
  ];
  const journal = await opened.page({ title: "Journal" }, ["en"]);
  const propose = (page: number) => anna.api("POST", "reviews/", { items: [{ page, language: "it" }] });
  const decide = (who: TestPerson, { name, hash }: { name: string; hash: string }, verdict = "approve") =>
    who.ask("POST", `reviews/${name}/decide/`, { verdict, hash, comment: "So." });
  const publish = async (page: number) => (await edith.ask("POST", `pages/${page}/publish/?language=it`)).status;
  return { ...opened, anna, edith, journal, propose, decide, publish };
}

describe("a page that is planned with its approved draft", () => {
  it.each<[string, (at: { anna: TestPerson; edith: TestPerson }, name: string) => Promise<{ status: number }>]>([
    ["taken back", ({ anna }, name) => anna.ask("DELETE", `reviews/${name}/`)],
    [
      "thought better of",
      async ({ edith }, name) => {
        const { hash } = await edith.api("GET", `reviews/${name}/`);
        return edith.ask("POST", `reviews/${name}/decide/`, { verdict: "changes", hash, comment: "No." });
      },
    ],
  ])("goes live with it, not without once the approval is %s", async (_how, undo) => {
    const { anna, edith, journal, propose, decide, clock, cms, ask } = await site();
    const page = await anna.api("POST", "pages/", { ...HARBOUR, title_it: "Unseen", parent_page: journal.id });
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Porto" });
    const made = await propose(page.id);
    await decide(edith, made);
    await edith.api("POST", `pages/${page.id}/schedule/?language=it`, { publish_at: AT, with_draft: true });
    const refused = await undo({ anna, edith }, made.name);
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("cancel its schedule first") },
    });
    clock.set(AT);
    await cms.publishDue({ by: { name: "Timer", email: "timer@example.org" } });
    const { permalink } = await anna.api("GET", `pages/${page.id}/?language=it`);
    expect((await ask("GET", `api:pages-router/it${permalink}/`)).body.title).toBe("Porto");
    expect((await anna.ask("DELETE", `reviews/${made.name}/`)).status).toBe(204);
  });
});

describe("a section", () => {
  it("stays the one that the setting was written for, when another page takes its former address", async () => {
    const { edith, journal, publish } = await site();
    const page = await edith.api("POST", "pages/", { ...HARBOUR, parent_page: journal.id });
    await edith.api("PATCH", `pages/${journal.id}/?language=en`, { autopermalink: false, permalink: "/news" });
    const taken = await edith.ask("POST", "pages/", { title: "X", autopermalink: false, permalink: "/journal" });
    expect([taken.status, taken.body.detail]).toEqual([
      403,
      `REVIEW.REQUIRED names page ${journal.id} by its former address /journal: name it by its id before another page has this address.`,
    ]);
    expect(await publish(page.id)).toBe(403);
  });
});

describe("a page below one that moves", () => {
  it("comes into a section only as it was approved", async () => {
    const { anna, edith, journal, propose, decide, publish } = await site();
    const box = await edith.api("POST", "pages/", { title: "Box", parent_page: journal.id });
    const page = await anna.api("POST", "pages/", { ...HARBOUR, parent_page: box.id });
    await edith.api("PATCH", `pages/${box.id}/`, { parent_page: null });
    expect(await publish(page.id)).toBe(200);
    const back = () => edith.ask("PATCH", `pages/${box.id}/`, { parent_page: journal.id });
    expect(await back()).toMatchObject({
      status: 403,
      body: { detail: '"Harbour" (it) goes live only with an approval by somebody who did not write it. It has 0.' },
    });
    await edith.api("PATCH", `pages/${page.id}/`, { published_at_it: null });
    await decide(edith, await propose(page.id));
    expect(await publish(page.id)).toBe(200);
    expect((await back()).status).toBe(200);
  });
});

describe("who wrote what goes live", () => {
  it("is also who wrote the page below the draft, while it was never public", async () => {
    const { anna, edith, propose, decide, publish } = await site({ LANGUAGES: ["it"] });
    const page = await edith.api("POST", "pages/", { ...HARBOUR, description_it: "By Edith" });
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { keywords: "By Anna" });
    await decide(edith, await propose(page.id));
    expect(await publish(page.id)).toBe(403);
  });

  it("is not who wrote another language of it", async () => {
    const { anna, edith, propose, decide, publish } = await site({ LANGUAGES: ["it"] });
    const page = await edith.api("POST", "pages/", { title: "Harbour" });
    await edith.api("POST", `pages/${page.id}/publish/?language=en`);
    await edith.api("PATCH", `pages/${page.id}/?language=en`, { description: "By Edith" });
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Porto" });
    await decide(edith, await propose(page.id));
    expect(await publish(page.id)).toBe(200);
  });

  it("is found though the file of the draft says that it was begun later", async () => {
    const { anna, cms, repo, propose, decide } = await site({ LANGUAGES: ["it"] });
    const page = await anna.api("POST", "pages/", { title: "Harbour" });
    await anna.api("POST", `pages/${page.id}/publish/?language=en`);
    await anna.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Porto" });
    const path = "content/pages/harbour.draft.it.yaml";
    repo.write(path, repo.text(path)!.replace(/^created_at: .*$/m, "created_at: 2099-01-01T00:00:00Z"));
    await cms.store.refresh();
    expect((await decide(anna, await propose(page.id))).status).toBe(403);
  });
});
