/**
 * Narrowed tokens of a superuser, at every route that writes content, and at the ways to read it: they may what their rules
 * say, and nothing that their account may besides.
 */
import { describe, expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { addNamedToken } from "../../src/actions/accounts/named-tokens.ts";
import { ACTIONS, type Rule } from "../../src/model/access/rule.ts";
import { memorySite, type Answer, type MemorySite } from "../site.ts";
import { requestOf, WRITE_FILES, WRITES } from "../support/writes.ts";

const ELSEWHERE: readonly Rule[] = [{ may: ACTIONS, below: "/section" }];
const FILES = {
  ...WRITE_FILES,
  "content/pages/section.yaml": "id: 900\ntranslations: { en: { title: Section, permalink: /section } }\n",
};

/** The header of a token of a superuser with the rules. */
async function headerOf({ cms }: MemorySite, rules: readonly Rule[], username = "root"): Promise<string> {
  const account = await addUser(cms.accounts, { username, password: "open sesame", is_superuser: true });
  const { token } = await addNamedToken(cms.accounts, account, { name: "t", expires_at: null, rules });
  return `Token ${token}`;
}

describe("a token of a superuser that is narrowed", () => {
  // One that only reads is refused at the door: test/http/routes/accounts/named-tokens.test.ts.
  it("to another section changes nothing by any route", { timeout: 60_000 }, async () => {
    const let_in: string[] = [];
    for (const route of Object.keys(WRITES)) {
      const site = await memorySite(FILES);
      const { method, path, body, headers } = requestOf(route, await WRITES[route]!(site));
      const authorization = await headerOf(site, ELSEWHERE);
      const before = site.cms.store.current.commit;
      const { status, text } = await site.ask(method, `api:${path}`, { body, headers: { ...headers, authorization } });
      const isUnseen = status === 400 && text.includes("object does not exist");
      if ((status !== 403 && status !== 404 && !isUnseen) || site.cms.store.current.commit !== before)
        let_in.push(`${route}: ${status} ${text}`);
    }
    expect(let_in).toEqual([]);
  });
});

const page = (id: number, title: string, permalink: string, more = ""): string =>
  `id: ${id}\n${more}translations:\n  en: { title: ${title}, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z }\n`;

describe("what a token for a section sees", () => {
  async function sectionSite() {
    const site = await memorySite({
      "content/pages/journal.yaml": page(2, "Journal", "/journal"),
      "content/pages/day.yaml": page(3, "Day", "/journal/day", "parent_page: 2\n"),
      "content/pages/board.yaml": page(4, "Secret board", "/board"),
      "content/tags/sea.yaml": "id: 30\ntranslations: { en: { name: Secret tag } }\n",
    });
    const authorization = await headerOf(site, [{ may: ["view", "edit"], models: ["page"], below: "/journal" }]);
    const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
      site.ask(method, `api:${path}`, { body, headers: { authorization } });
    return { site, ask };
  }

  it.each([
    "pages/",
    "pages/?search=secret",
    "pages/?fltr=title=Secret board",
    "pages/4/",
    "pages/4/revisions/",
    "pages/4/preview/",
    "pages/4/render/",
    "pages/4/uses/",
    "tags/",
    "tags/30/",
    "search/?q=secret",
    "page-tree/",
    "menus/search_urlnode/?search=secret",
    "pages-router-preview/board",
    "changes/",
    "compare/?from=main",
    "schedule/",
    "problems/",
    "preview-links/",
    "hooks/",
    "settings/",
    "users/",
    "audit/",
    "autosaves/",
    "pages/?at=2026-02-28T00:00:00Z",
    "pages/4/?as_of=2026-03-01T11:00:00Z",
  ])("by %s is the section alone", async (path) => {
    const { ask } = await sectionSite();
    const { text } = await ask("GET", path);
    expect(text.replaceAll(/"detail":"[^"]*"/g, "")).not.toMatch(/secret (board|tag)/i);
  });

  it("is its section, which it edits and does not publish", async () => {
    const { ask } = await sectionSite();
    expect((await ask("GET", "pages/")).body.map(({ id }: { id: number }) => id).sort()).toEqual([2, 3]);
    expect((await ask("PATCH", "pages/3/draft/?language=en", { title: "Day two" })).status).toBe(200);
    const refused = await ask("POST", "pages/3/publish/?language=en", {});
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringMatching(/^This token may not publish/)]);
    expect((await ask("PATCH", "pages/3/?language=en", { parent_page: null })).status).toBe(403);
  });
});
