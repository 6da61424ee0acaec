/** Revisions are commits. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../site.ts";

describe("revisions", () => {
  it("list every commit that changed the live page, newest first, by any author", async () => {
    const { api, repo, cms, clock } = await memorySite();
    const page = await api("POST", "pages/", { title: "About" });
    clock.tick(1000);
    await api("PATCH", `pages/${page.id}/draft/`, { description: "Soon" });
    await api("POST", `pages/${page.id}/publish/`, { comment: "At last" });
    repo.write(
      "content/pages/about.yaml",
      repo.text("content/pages/about.yaml")!.replace("title: About", "title: About us"),
    );
    repo.commitByHand("Mend the title");
    await cms.store.refresh();
    const revisions = await api("GET", `pages/${page.id}/revisions/`);
    expect(revisions.map((each: object) => ({ ...each, id: 0, revision_id: 0, date_created: "" }))).toEqual([
      { id: 0, revision_id: 0, date_created: "", comment: "Mend the title", user: null, author: "Pat Person" },
      { id: 0, revision_id: 0, date_created: "", comment: "At last", user: "staff", author: "staff" },
      { id: 0, revision_id: 0, date_created: "", comment: 'Create "About"', user: "staff", author: "staff" },
    ]);
    expect(revisions[0].id).toBe((await repo.state()).head);
    expect(revisions[2].date_created).toBe("2026-03-01T12:00:00Z");
  });

  it("follow renames of the page's file", async () => {
    const { api, repo, cms } = await memorySite();
    const page = await api("POST", "pages/", { title: "About" });
    const text = repo.text("content/pages/about.yaml")!;
    repo.erase("content/pages/about.yaml");
    repo.write("content/pages/company/who.yaml", text.replace("title: About", "title: Who"));
    repo.commitByHand("Move and change");
    await cms.store.refresh();
    const comments = (await api("GET", `pages/${page.id}/revisions/`)).map(
      ({ comment }: { comment: string }) => comment,
    );
    expect(comments).toEqual(["Move and change", 'Create "About"']);
  });

  it("are 501 when turned off, and 404 for a missing page", async () => {
    const off = await memorySite({}, { REVISIONS: false });
    const page = await off.page({ title: "About" });
    for (const [method, path] of [
      ["GET", `revisions/`],
      ["POST", `revert/abcd/`],
    ] as const) {
      for (const at of [`pages/${page.id}`, "pages/404404", "articles/404404", "models/nope/404404"]) {
        expect([at, (await off.ask(method, `api:${at}/${path}`, { as: "staff" })).status]).toEqual([at, 501]);
      }
    }
    expect((await off.ask("GET", `api:pages/${page.id}/revisions/`)).status).toBe(401);
    const on = await memorySite();
    expect((await on.ask("GET", "api:pages/404404/revisions/", { as: "staff" })).status).toBe(404);
  });
});

describe("revert", () => {
  it("restores all languages, timestamps and permalinks in a new commit, and keeps the draft", async () => {
    const { api, ask, repo } = await memorySite();
    const page = await api("POST", "pages/", { title_en: "About", title_it: "Chi siamo", description_en: "Old" });
    await api("POST", `pages/${page.id}/publish/`);
    const [then] = await api("GET", `pages/${page.id}/revisions/`);
    await api("PATCH", `pages/${page.id}/`, {
      title_en: "Info",
      title_it: "Notizie",
      description_en: "New",
    });
    await api("POST", `pages/${page.id}/trash/`);
    await api("PATCH", `pages/${page.id}/draft/`, { keywords: "k" });
    const { head } = await repo.state();

    const reverted = await api("POST", `pages/${page.id}/revert/${then.id.slice(0, 8)}/`);
    expect(reverted).toMatchObject({
      title: "About",
      description: "Old",
      permalink: "/about",
      status: "PUB",
      deleted_at: null,
      has_draft: true,
    });
    expect(reverted.translations.it).toMatchObject({ title: "Chi siamo", permalink: "/chi-siamo" });
    expect((await ask("GET", "api:pages-router/info/")).body).toEqual({ redirect: "/about/", status: 301 });
    const [newest, ...older] = await api("GET", `pages/${page.id}/revisions/`);
    expect(newest).toMatchObject({ comment: `Revert "Info" to ${then.id.slice(0, 10)}`, user: "staff" });
    expect(older.map(({ id }: { id: string }) => id)).toContain(then.id);
    expect((await repo.state()).head).not.toBe(head);
  });

  it("to the present state makes no commit", async () => {
    const { api, repo } = await memorySite();
    const page = await api("POST", "pages/", { title: "About" });
    const [only] = await api("GET", `pages/${page.id}/revisions/`);
    const { head } = await repo.state();
    await api("POST", `pages/${page.id}/revert/${only.id}/`);
    expect((await repo.state()).head).toBe(head);
  });

  it("drops a parent that no longer exists", async () => {
    const { api } = await memorySite();
    const parent = await api("POST", "pages/", { title: "Parent" });
    const page = await api("POST", "pages/", { title: "Child", parent_page: parent.id });
    const [then] = await api("GET", `pages/${page.id}/revisions/`);
    await api("PATCH", `pages/${page.id}/`, { parent_page: null });
    await api("DELETE", `pages/${parent.id}/`);
    expect(await api("POST", `pages/${page.id}/revert/${then.id}/`)).toMatchObject({
      parent_page: null,
      permalink: "/child",
    });
  });

  it("refuses a manual permalink that another page has now, and changes nothing", async () => {
    const { api, ask, repo } = await memorySite();
    const page = await api("POST", "pages/", { autopermalink_en: false, permalink_en: "/a" });
    const [then] = await api("GET", `pages/${page.id}/revisions/`);
    await api("PATCH", `pages/${page.id}/`, { permalink_en: "/b" });
    await api("POST", "pages/", { autopermalink_en: false, permalink_en: "/a" });
    const { head } = await repo.state();
    const answer = await ask("POST", `api:pages/${page.id}/revert/${then.id}/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { permalink_en: ["There is an other page with same permalink."] },
    ]);
    expect((await repo.state()).head).toBe(head);
  });

  it.each([["a commit of another page"], ["no commit at all"], ["no id"]])("is 404 for %s", async (which) => {
    const { api, ask } = await memorySite();
    const page = await api("POST", "pages/", { title: "About" });
    const other = await api("POST", "pages/", { title: "Other" });
    const [otherRevision] = await api("GET", `pages/${other.id}/revisions/`);
    const version =
      which === "a commit of another page" ? otherRevision.id : which === "no id" ? "not-an-id" : "0".repeat(40);
    const answer = await ask("POST", `api:pages/${page.id}/revert/${version}/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([404, { detail: "No Revision matches the given query." }]);
  });
});
