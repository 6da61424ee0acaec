import { describe, expect, it } from "vitest";
import { memorySite } from "../../../site.ts";
import { personAt } from "../../../support/people.ts";

const STAFF = { as: "staff" } as const;
const CHIEF = { as: "superuser" } as const;

async function commented() {
  const site = await memorySite();
  const page = await site.page({ title: "Harbour", title_it: "Porto" }, ["en"]);
  const body = {
    page: page.id,
    field: "title",
    passage: { text: "Porto", before: "", after: "" },
    text: "Is this right, @superuser?",
  };
  const thread = (await site.ask("POST", "api:threads/?language=it", { ...STAFF, body })).body;
  return { site, page, thread };
}

describe("threads", () => {
  it("are opened, answered, resolved and opened again by an answer", async () => {
    const { site, page, thread } = await commented();
    expect(thread).toMatchObject({ page: page.id, language: "it", title: "Harbour", resolved_at: null });
    expect(thread.comments).toMatchObject([{ by: "staff", name: "staff", text: "Is this right, @superuser?" }]);
    expect(site.repo.text(`content/threads/${thread.id}.yaml`)).toContain("text: Porto");

    const mentioned = () => site.ask("GET", "api:threads/?mentioned", CHIEF);
    expect((await mentioned()).body).toHaveLength(1);
    const answered = await site.ask("POST", `api:threads/${thread.id}/comments/`, { ...CHIEF, body: { text: "Yes." } });
    expect(answered.body.comments).toMatchObject([{ by: "staff" }, { by: "superuser", text: "Yes." }]);
    expect((await mentioned()).body).toEqual([]);

    const resolved = await site.api("PATCH", `threads/${thread.id}/`, { resolved: true });
    expect(resolved.resolved_at).toBe("2026-03-01T12:00:00Z");
    expect(await site.api("GET", `threads/?of=${page.id}&open`)).toEqual([]);
    await site.api("POST", `threads/${thread.id}/comments/`, { text: "Thanks." });
    expect(await site.api("GET", `threads/?of=${page.id}&open`)).toHaveLength(1);
    expect(await site.api("GET", `threads/?of=${page.id + 1}`)).toEqual([]);
  });

  it("have comments that their author alone changes and deletes", async () => {
    const { site, thread } = await commented();
    const path = `api:threads/${thread.id}/comments/${thread.comments[0].id}/`;
    expect((await site.ask("PATCH", path, { ...CHIEF, body: { text: "No" } })).status).toBe(403);
    expect((await site.ask("DELETE", path, CHIEF)).status).toBe(403);
    const edited = await site.ask("PATCH", path, { ...STAFF, body: { text: "Sure?" } });
    expect(edited.body.comments[0]).toMatchObject({ text: "Sure?", edited_at: "2026-03-01T12:00:00Z" });
    expect((await site.ask("DELETE", path, STAFF)).status).toBe(204);
    expect((await site.ask("GET", `api:threads/${thread.id}/`, STAFF)).status).toBe(404);
  });

  it("take the author from the caller, never from a body", async () => {
    const { site, page } = await commented();
    const body = { page: page.id, text: "Mine", by: "superuser" };
    expect((await site.ask("POST", "api:threads/", { ...STAFF, body })).body).toEqual({
      by: ["Unknown field."],
    });
  });

  it.each([
    [{}, { page: ["This field is required."], text: ["This field is required."] }],
    [{ page: 999, text: "x" }, { page: ['Invalid pk "999" - object does not exist.'] }],
    [{ page: 1, text: " " }, { text: ["This field may not be blank."] }],
    [{ page: 1, text: "x".repeat(5001) }, { text: ["Ensure this field has no more than 5000 characters."] }],
    [{ page: 1, text: "x", passage: {} }, { passage: { text: ["This field is required."] } }],
    [{ page: 1, text: "x", passage: 3 }, { passage: ["Invalid data. Expected a dictionary, but got int."] }],
  ])("refuse %j", async (body, errors) => {
    const { site } = await commented();
    const refused = await site.ask("POST", "api:threads/", { ...STAFF, body });
    expect([refused.status, refused.body]).toEqual([400, errors]);
  });

  it("go with their page", async () => {
    const { site, page, thread } = await commented();
    await site.ask("DELETE", `api:pages/${page.id}/`, STAFF);
    expect(site.repo.text(`content/threads/${thread.id}.yaml`)).toBeUndefined();
  });

  it("are of the pages that an account sees", async () => {
    const { site, page, thread } = await commented();
    const roles = { notices: { label: "Notices", rules: [{ may: ["view", "comment"], below: "/notices" }] } };
    await site.ask("PUT", "api:roles/", { as: "superuser", body: { roles } });
    const nora = await personAt(site, "nora", { roles: ["notices"] });
    expect(await nora.api("GET", `threads/?of=${page.id}`)).toEqual([]);
    expect((await nora.ask("GET", `threads/${thread.id}/`)).status).toBe(404);
    expect((await nora.ask("POST", `threads/${thread.id}/comments/`, { text: "Mine" })).status).toBe(404);
    expect((await nora.ask("POST", "threads/", { page: page.id, text: "Mine" })).status).toBe(400);
  });

  it("are in no public answer, and change none", async () => {
    const { site, page } = await commented();
    const answers = async () => {
      const found = await Promise.all(
        [
          "api:pages-router/harbour/",
          "api:pages-router/changes/",
          "api:search-router/?q=right",
          "/harbour/",
          "/sitemap.xml",
        ].map(async (path) => (await site.ask("GET", path)).text),
      );
      return found;
    };
    const before = await answers();
    await site.api("POST", "threads/", { page: page.id, text: "A secret remark, @superuser" });
    const after = await answers();
    expect(after.join()).not.toContain("remark");
    expect(after).toEqual(before);
    expect((await site.ask("GET", "api:threads/")).status).toBe(401);
    expect((await site.ask("GET", "api:threads/", { as: "reader" })).status).toBe(403);
  });
});
