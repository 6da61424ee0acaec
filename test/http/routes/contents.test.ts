/** Content blocks: on pages and for the whole site, edited in place, with history. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../site.ts";

describe("content blocks", () => {
  it("belong to a page and come with its payload", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
    const block = await api("POST", "contents/", {
      identifier: "hero",
      content_type: about.content_type,
      object_id: about.id,
      content_en: "<p>Hi</p>",
      content_it: "<p>Ciao</p>",
    });
    expect(block).toEqual({
      id: block.id,
      identifier: "hero",
      content: "<p>Hi</p>",
      object_id: about.id,
      content_type: { id: about.content_type, app_label: "cms", model: "page" },
      translations: { en: { content: "<p>Hi</p>" }, it: { content: "<p>Ciao</p>" } },
    });
    expect((await ask("GET", "api:pages-router/it/chi-siamo/")).body.contents).toEqual({
      hero: { id: block.id, content: "<p>Ciao</p>" },
    });
  });

  it("change the page's hash when edited, not its modification time", async () => {
    const { api, ask, clock, page } = await memorySite();
    const about = await page({ title_en: "About" }, ["en"]);
    const block = await api("POST", "contents/", {
      identifier: "hero",
      content_type: about.content_type,
      object_id: about.id,
      content: "one",
    });
    const look = async () => (await ask("GET", "api:pages-router/changes")).body;
    const before = await look();
    clock.tick(1000);
    await api("PATCH", `contents/${block.id}/djsuperadmin/`, { content: "two" });
    const after = await look();
    expect(after.urls[0].hash).not.toBe(before.urls[0].hash);
    expect(after.epoch).toBe(before.epoch);
    expect((await api("GET", `pages/${about.id}/`)).date_updated_at).toBe(about.date_updated_at);
  });

  it("of the whole site change the epoch", async () => {
    const { api, ask } = await memorySite();
    await api("POST", "contents/", { identifier: "footer", content: "one" });
    expect((await ask("GET", "api:pages-router/changes")).body.epoch).not.toBeNull();
  });

  it("are deleted with their page", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title: "About" });
    const block = await api("POST", "contents/", {
      identifier: "hero",
      content_type: about.content_type,
      object_id: about.id,
      content: "x",
    });
    await api("DELETE", `pages/${about.id}/`);
    expect((await ask("GET", `api:contents/${block.id}/`, { as: "staff" })).body).toEqual({
      detail: "No Content matches the given query.",
    });
  });

  it.each([
    [{}, { identifier: ["This field is required."] }],
    [{ identifier: "" }, { identifier: ["This field may not be blank."] }],
    [{ identifier: "x".repeat(256) }, { identifier: ["Ensure this field has no more than 255 characters."] }],
    [
      { identifier: "a", object_id: 404404, content_type: 1 },
      { object_id: ['Invalid pk "404404" - object does not exist.'] },
    ],
    [{ identifier: "a", content_type: 1 }, { object_id: ["This field is required."] }],
    [{ identifier: "a", content: ["x"] }, { content_en: ["Not a valid string."] }],
  ])("refuse %j", async (body, errors) => {
    const answer = await (await memorySite()).ask("POST", "api:contents/", { body, as: "staff" });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("are unique by identifier on one page", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title: "About" });
    const body = { identifier: "hero", content_type: 1, object_id: about.id };
    await api("POST", "contents/", body);
    const answer = await ask("POST", "api:contents/", { body, as: "staff" });
    expect(answer.body).toEqual({
      non_field_errors: ["The fields identifier, content_type, object_id must make a unique set."],
    });
  });

  it("are read or created, using the content only when created", async () => {
    const { api } = await memorySite();
    const made = await api("POST", "contents/get-or-create/", { identifier: "footer", content: "one" });
    expect(made).toEqual({ id: made.id, content: "one" });
    expect(await api("POST", "contents/get-or-create/", { identifier: "footer", content: "two" })).toEqual(made);
  });

  it("have their former texts, newest first", async () => {
    const { api, clock } = await memorySite();
    const block = await api("POST", "contents/", { identifier: "footer", content: "one" });
    for (const content of ["two", "three"]) {
      clock.tick(1000);
      expect(await api("PATCH", `contents/${block.id}/djsuperadmin/`, { content })).toEqual({ content });
    }
    expect(await api("GET", `contents/${block.id}/djsuperadmin/history/`)).toEqual({
      versions: [
        { created_at: "2026-03-01T12:00:02+00:00", data: "two" },
        { created_at: "2026-03-01T12:00:01+00:00", data: "one" },
      ],
    });
  });

  it.each([[{}], [{ content: 5 }], [[]]])("refuse %j in place", async (body) => {
    const { api, ask } = await memorySite();
    const block = await api("POST", "contents/", { identifier: "footer" });
    const answer = await ask("PATCH", `api:contents/${block.id}/djsuperadmin/`, { body, as: "staff" });
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ["content"]]);
  });
});
