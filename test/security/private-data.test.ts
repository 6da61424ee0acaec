/** Private data through filters, order and fields: a query reveals only what the caller may see. */
import { describe, expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { PASSWORD } from "../http/routes/accounts/sign-in.ts";

const HIDDEN = [
  "password",
  "token_version",
  "token",
  "secret",
  "hash",
  "auth_token",
  "user_permissions",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
];

describe("accounts", () => {
  it.each(HIDDEN)("cannot be filtered or ordered by %s", async (name) => {
    const site = await memorySite();
    await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    for (const query of [
      `fltr=${name}__startswith=s`,
      `fltr=${name}=1`,
      `fltr=${name}__isnull=false`,
      `fltr=username__${name}=x`,
      `sort=${name}`,
      `sort=-${name}`,
      `fltr=${name}__regex=^s`,
    ]) {
      const answer = await site.ask("GET", `api:users/?${query}`, { as: "superuser" });
      expect([query, answer.status]).toEqual([query, 400]);
    }
    const fields = await site.ask("GET", `api:users/?fields=${name},username`, { as: "superuser" });
    expect(fields.text).not.toMatch(/scrypt|token_version/);
  });

  it.each([
    "author__password",
    "author__username",
    "user__password",
    "parent_page__author__password",
    "og_image__user__password",
    "tags__author__password",
  ])("cannot be reached from pages by %s", async (path) => {
    const site = await memorySite();
    for (const list of ["pages/", "articles/"]) {
      const { status } = await site.ask("GET", `api:${list}?fltr=${path}__startswith=s`, { as: "superuser" });
      expect([200, 400]).toContain(status);
      if (path.endsWith("password")) expect(status).toBe(400);
    }
  });

  it("are searched only in visible fields", async () => {
    const site = await memorySite();
    const account = await addUser(site.cms.accounts, { username: "anna", password: PASSWORD });
    for (const text of ["scrypt", account.password!.slice(0, 20), String(account.password!.split("$")[4])]) {
      expect(
        (await site.ask("GET", `api:users/?search=${encodeURIComponent(text)}`, { as: "superuser" })).body,
      ).toEqual([]);
    }
  });
});

/** Two sites that differ only in private data. */
async function twins(): Promise<readonly [MemorySite, MemorySite]> {
  const make = async (secret: string): Promise<MemorySite> => {
    const site = await memorySite();
    const about = await site.page({ title: "About" }, ["en"]);
    await site.page({ title: "Team", parent_page: about.id }, ["en"]);
    await site.api("PATCH", `pages/${about.id}/draft/`, { title: secret });
    const hidden = await site.page({
      title: secret,
      parent_page: about.id,
      autopermalink: false,
      permalink: "/about/hidden",
    });
    await site
      .page({ title: "Trashed", description: secret, autopermalink: false, permalink: "/trashed" }, ["en"])
      .then(({ id }) => site.api("POST", `pages/${id}/trash/`));
    await site.page({
      title: "Planned",
      description: secret,
      autopermalink: false,
      permalink: "/planned",
      published_at_en: "2030-01-01T00:00:00Z",
    });
    await site.api("PATCH", `pages/${hidden.id}/draft/`, { title: `${secret} too` });
    await addUser(site.cms.accounts, { username: secret.toLowerCase(), password: `${secret} ${secret}` });
    return site;
  };
  return [await make("Apples"), await make("Oranges")];
}

describe("private content", () => {
  const PARAMETERS = [
    "",
    "fields=title",
    "fields=draft_data",
    "fields=has_draft,title",
    "fields=parent_page__draft_data",
    "fltr=title=Apples",
    "fltr=has_draft=true",
    "sort=-draft_data",
    "search=Apples",
    "search=Oranges",
    "included_translations=all",
    "language=it",
    "items=-1",
    "preview=true",
    "draft=1",
    "format=json",
    "status=DRF",
    "token=x",
    "as=staff",
  ];
  const PATHS = [
    "api:pages-router/",
    "api:pages-router/about/",
    "api:pages-router/about/team/",
    "api:pages-router/about/hidden/",
    "api:pages-router/trashed/",
    "api:pages-router/planned/",
    "api:pages-router/nothing/",
    "api:pages-router/changes",
    "api:languages/",
    "api:menus-router/main",
    "/about/",
    "/about/hidden/",
    "/trashed/",
    "/planned/",
    "/nothing/",
    "/sitemap.xml",
    "api:",
  ];
  const HEADERS = [
    {},
    { "x-preview": "1" },
    { cookie: "sessionid=x; preview=1" },
    { "x-forwarded-user": "staff" },
    { "x-original-url": "/api/cms/pages/" },
    { "x-rewrite-url": "/api/cms/pages/" },
    { "if-none-match": "*" },
  ] as Record<string, string>[];

  it("makes no difference to any public answer", async () => {
    const [a, b] = await twins();
    for (const path of PATHS) {
      for (const query of PARAMETERS) {
        for (const headers of query === "" ? HEADERS : [{}]) {
          const url = query === "" ? path : `${path}?${query}`;
          const [one, other] = [await a.ask("GET", url, { headers }), await b.ask("GET", url, { headers })];
          const facts = ({ status, text, headers: sent }: typeof one) => [
            url,
            status,
            text.replace(/"server_time":"[^"]*"/, ""),
            [...sent].filter(([name]) => name !== "date"),
          ];
          expect(facts(one)).toEqual(facts(other));
          expect(one.text).not.toMatch(/Apples|draft/i);
        }
      }
    }
  });
});
