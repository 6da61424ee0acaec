/** A change of Italian below one section, from the author who proposes it to the second at which it goes live. */
import { expect, it } from "vitest";
import { memorySite } from "../../../site.ts";
import { personAt } from "../../../support/people.ts";

const ROLES = `roles:
  journalist:
    label: Journalist
    rules:
      - may: [view]
      - may: [edit, propose, comment]
        below: /journal
        languages: [it]
`;
const AT = "2026-03-02T08:00:00Z";
const TIMER = { name: "Timer", email: "timer@example.org" };

it("an author proposes, an editor comments and approves, and it goes live on its second", async () => {
  const site = await memorySite(
    { "content/roles.yaml": ROLES },
    { REVIEW: { REQUIRED: [{ MODELS: null, BELOW: "/journal", LANGUAGES: ["it"], APPROVALS: 1 }] } },
  );
  const { cms, repo, clock } = site;
  const journal = await site.page({ title: "Journal" }, ["en"]);
  const page = await site.page({ title: "Harbour", parent_page: journal.id }, ["en"]);
  const other = await site.page({ title: "Contact" }, ["en"]);
  const anna = await personAt(site, "anna", { roles: ["journalist"] });
  const edith = await personAt(site, "edith", { roles: ["editor"] });
  const status = async (method: string, path: string, body?: object) => (await anna.ask(method, path, body)).status;
  const italian = `pages/${page.id}/draft/?language=it`;
  const item = { page: page.id, language: "it" };

  // Where her role ends.
  expect(await status("PATCH", `pages/${other.id}/draft/?language=it`, { title: "Contatti" })).toBe(403);
  expect(await status("PATCH", `pages/${page.id}/draft/?language=en`, { title: "The harbour" })).toBe(403);
  await anna.api("PATCH", italian, { title: "Porto", description: "Costruito nel 1950 da due famiglie." });

  // No way to publish it is hers, and with the setting none is anybody's.
  for (const who of [anna, edith]) {
    const refused = [
      await who.ask("POST", `pages/${page.id}/publish/?language=it`),
      await who.ask("POST", `pages/${page.id}/schedule/?language=it`, { publish_at: AT, with_draft: true }),
      await who.ask("PATCH", `pages/${page.id}/?language=it`, { title: "Porto", published_at: "2026-01-01T00:00:00Z" }),
      await who.ask("POST", "releases/", { name: "now", publish_at: AT, items: [item] }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
  }
  await edith.api("POST", "releases/", { name: "spring", items: [item] });
  expect((await edith.ask("POST", "releases/spring/publish/")).status).toBe(403);
  await expect(cms.pages.publish(page.id, { by: TIMER, lang: "it" })).rejects.toThrow(
    "goes live only with an approval",
  );
  expect(await cms.publishDue({ by: TIMER })).toEqual({ published: 0, failed: 0 });

  // She proposes it, and is not the one who approves it.
  const { name, hash } = await anna.api("POST", "reviews/", { items: [item], asked: ["role:editor"] });
  expect(await status("POST", `reviews/${name}/decide/`, { verdict: "approve", hash })).toBe(403);
  expect(await edith.api("GET", "reviews/?asked")).toMatchObject([{ name, title: "Harbour" }]);

  // The editor asks about a passage, and for changes.
  const passage = { text: "nel 1950", before: "Costruito ", after: " da due famiglie." };
  const about = { page: page.id, field: "description", passage, text: "È l’anno giusto, @anna?" };
  const thread = await edith.api("POST", "threads/?language=it", about);
  await edith.api("POST", `reviews/${name}/decide/`, { verdict: "changes", hash, comment: "L’anno." });
  expect(await anna.api("GET", "threads/?mentioned")).toMatchObject([{ id: thread.id }]);
  expect(await anna.api("GET", "reviews/?own&open")).toMatchObject([{ name, state: "changes" }]);

  // The author answers and mends. What the editor approves is what is there then.
  await anna.api("POST", `threads/${thread.id}/comments/`, { text: "No, era il 1949." });
  await anna.api("PATCH", italian, { description: "Costruito nel 1949 da due famiglie." });
  const approve = { verdict: "approve", hash };
  expect((await edith.ask("POST", `reviews/${name}/decide/`, approve)).status).toBe(409);
  const seen = await edith.api("GET", `reviews/${name}/`);
  await edith.api("POST", `reviews/${name}/decide/`, { verdict: "approve", hash: seen.hash });
  await anna.api("PATCH", italian, { description: "Costruito nel 1949." });
  expect(await edith.api("GET", `reviews/${name}/`)).toMatchObject({
    state: "open",
    decisions: [{}, { holds: false }],
  });
  const again = await anna.api("POST", "reviews/", { items: [item] });
  await edith.api("POST", `reviews/${name}/decide/`, { verdict: "approve", hash: again.hash });

  // On its second.
  await edith.api("POST", `pages/${page.id}/schedule/?language=it`, { publish_at: AT, with_draft: true });
  const shown = async () => (await site.ask("GET", "/it/journal/porto/")).status;
  clock.set("2026-03-02T07:59:59Z");
  expect([await cms.publishDue({ by: TIMER }), await shown()]).toEqual([{ published: 0, failed: 0 }, 404]);
  clock.set(AT);
  expect(await cms.publishDue({ by: TIMER })).toEqual({ published: 1, failed: 0 });
  const newest = await repo.log(cms.store.current.commit!, null, [])[Symbol.asyncIterator]().next();
  expect(newest.value.message).toContain("\nReviewed-by: Edith <edith@example.org>");
  expect((await anna.api("GET", `reviews/${name}/`)).state).toBe("done");
});
