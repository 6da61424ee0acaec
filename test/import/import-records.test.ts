/** Records of imports beside pages, tags, files and menus: drafts, content blocks, meta types and instances, folders, accounts. */
import { pbkdf2Sync } from "node:crypto";
import { expect, it } from "vitest";
import { SERVICE } from "../../src/actions/context.ts";
import { removeUser, rotateToken } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { planAccounts } from "../../src/import/records/accounts.ts";
import { importSite } from "../../src/import/import-site.ts";
import type { ImportedAccount, ImportedSite } from "../../src/import/imported-site.ts";
import { sourceLink, sourceReference } from "../../src/import/texts/source-links.ts";
import type { Instant } from "../../src/model/time/instant.ts";
import { severityOf } from "../../src/model/text/problem.ts";
import { contentProblems } from "../../src/store/check/check.ts";
import { memorySite, type MemorySite } from "../site.ts";

const place = { file: "source.json", line: 3 };
const at = (day: number): Instant => `2025-01-0${day}T00:00:00.000Z` as Instant;

const djangoHash = (password: string): string =>
  `pbkdf2_sha256$1000$salt$${pbkdf2Sync(password, "salt", 1000, 32, "sha256").toString("base64")}`;

const anna: ImportedAccount = {
  source: "test:user:1",
  place,
  username: "anna",
  email: "anna@example.org",
  first_name: "Anna",
  last_name: "Rossi",
  is_staff: true,
  is_superuser: false,
  is_active: true,
  user_permissions: ["cms.change_page"],
  password: djangoHash("a long password"),
  joined: at(1),
};

const SITE: ImportedSite = {
  entries: [
    {
      source: "test:page:1",
      place,
      model: "page",
      texts: { en: { fields: { title: "About us" }, permalink: "/about-us", isAutomatic: true, published: at(2) } },
      drafts: {
        en: {
          payload: { translations: { en: { title: "About", description: sourceLink("test:article:1") } } },
          scheduled: "2099-01-01T00:00:00.000Z" as Instant,
          created: at(3),
        },
      },
    },
    {
      source: "test:article:1",
      place,
      model: "article",
      isTrashed: true,
      trashed: at(4),
      author: { id: 77, username: "anna", first_name: "Anna", last_name: "Rossi" },
      authorAccount: "test:user:1",
      template: "website/none.html",
      texts: { en: { fields: { title: "News" }, permalink: "/other", isAutomatic: true, published: at(2) } },
      drafts: { en: { payload: { tags: [], ordering: "first" } } },
    },
  ],
  folders: [{ source: "test:folder:1", place, path: "Spring 2024", title: "Spring 2024" }],
  contents: [
    { source: "test:content:1", place, identifier: "hero", entry: "test:page:1", texts: { en: "<p>Hello</p>" } },
    { source: "test:content:2", place, identifier: "lost", entry: "test:page:9", texts: { en: "<p>Lost</p>" } },
  ],
  metaTypes: [
    {
      source: "test:type:1",
      place,
      key: "card",
      name: "Card",
      schema: [
        { name: "heading", kind: "string", required: true },
        { name: "page", kind: "ref", target_model: "cms.Page" },
        { name: "next", kind: "ref", target_model: "cms.MetaInstance" },
        { name: "owner", kind: "ref", target_model: "auth.User" },
      ],
    },
    { source: "test:type:2", place, key: "bad", name: "Bad", schema: [{ name: "x", kind: "group" }] },
  ],
  metaInstances: [
    {
      source: "test:meta:1",
      place,
      type: "test:type:1",
      identifier: "one",
      data: {
        heading: "One",
        page: sourceReference("test:page:1"),
        next: sourceReference("test:meta:2"),
        owner: sourceReference("test:user:1"),
        color: "red",
      },
    },
    { source: "test:meta:2", place, type: "test:type:1", identifier: "two", data: { heading: "Two" } },
    { source: "test:meta:3", place, type: "test:type:1", identifier: "three", data: { page: 1 } },
  ],
  accounts: [anna],
  remarks: [],
};

const run = ({ cms }: MemorySite, site: ImportedSite = SITE, force = false) =>
  importSite(cms, SERVICE, site, { name: "test", force });

it("carries drafts, blocks, meta types and instances, folders and accounts, and keeps beside what has no place", async () => {
  const site = await memorySite({}, { RENDER: { HEADLESS: false } });
  const report = await run(site);
  expect(report.counts).toMatchObject({ created: 8, failed: 3 });
  const [about] = await site.api("GET", "pages/?search=About");
  expect(about).toMatchObject({ permalink: "/about-us", autopermalink: true, status: "PUB" });
  const preview = await site.api("GET", `pages/${about.id}/preview/`);
  expect(preview).toMatchObject({ title: "About", has_draft: true, draft_scheduled_for: "2099-01-01T00:00:00Z" });
  const [news] = await site.api("GET", "articles/");
  expect(news).toMatchObject({
    permalink: "/other",
    autopermalink: false,
    deleted_at: "2025-01-04T00:00:00Z",
    has_draft: false,
    template_data: { imported: { template: "website/none.html" } },
  });
  expect(await site.api("GET", "contents/")).toMatchObject([{ identifier: "hero", object_id: about.id }]);
  expect((await site.api("GET", "media-folder")).folders).toMatchObject([
    { title: "Spring 2024", path: "/spring-2024" },
  ]);
  const instances: any[] = await site.api("GET", "meta-instances/?sort=identifier");
  expect(instances.map(({ identifier }) => identifier)).toEqual(["one", "two"]);
  const account = (await site.cms.accounts.store.list()).find(({ username }) => username === "anna")!;
  expect(instances[0].data).toMatchObject({
    heading: "One",
    page: { id: about.id },
    next: { id: instances[1].id },
    owner: { id: account.id },
  });
  expect(news.author).toMatchObject({ id: account.id, username: "anna" });
  expect(account).toMatchObject({ is_staff: true, user_permissions: ["cms.change_page"], date_joined: at(1) });

  const kept = new TextDecoder().decode((await site.repo.read("content/imports/test.kept.jsonl"))?.bytes);
  expect(kept.split("\n").map((line) => line && [JSON.parse(line).source, JSON.parse(line).what])).toEqual([
    ["test:article:1", "draft in en"],
    ["test:content:2", "content block"],
    ["test:meta:1", "values without a declaration"],
    ["test:meta:3", "meta instance"],
    ["test:type:2", "meta type"],
    "",
  ]);
  const found = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
  expect(found.filter((each) => severityOf(each) === "error")).toEqual([]);
});

it("signs in an imported account with its password, and changes nothing the second time", async () => {
  const site = await memorySite({}, { RENDER: { HEADLESS: false } });
  await run(site);
  const signIn = (password: string) =>
    site.ask("POST", "api:token-auth/", { body: { username: "anna", password }, as: null });
  expect([(await signIn("a wrong password")).status, (await signIn("a long password")).status]).toEqual([400, 200]);
  const again = await run(site);
  expect(again).toMatchObject({ committed: false, counts: { created: 0, updated: 0, failed: 3 } });

  // A source that changed updates the account, but not the password that its owner signed in with.
  const accounts = [{ ...anna, email: "a@example.org", password: djangoHash("another password") }];
  expect((await run(site, { ...SITE, accounts })).counts).toMatchObject({ updated: 1 });
  const stored = async () => (await site.cms.accounts.store.findByName("anna"))!;
  expect((await stored()).email).toBe("a@example.org");
  expect((await signIn("a long password")).status).toBe(200);

  // Edited here: kept.
  await site.cms.accounts.store.update((await stored()).id, (each) => ({ ...each, email: "here@example.org" }));
  const edited = await run(site, { ...SITE, accounts: [{ ...anna, is_staff: false }] });
  expect(edited.counts).toMatchObject({ updated: 0, edited: 1 });
  expect(await stored()).toMatchObject({ email: "here@example.org", is_staff: true });
});

it("never changes an account that is of no import", async () => {
  const site = await memorySite({}, { RENDER: { HEADLESS: false } });
  await site.ask("GET", "api:users/current/", { as: "staff" });
  const before = (await site.cms.accounts.store.list()).find(({ username }) => username === "staff")!;
  const accounts = [{ ...anna, username: "staff", is_superuser: true }];
  const report = await run(site, { ...SITE, accounts }, true);
  expect(report.remarks.map(({ message }) => message)).toContain(
    'There is an account "staff" here: it stays as it is.',
  );
  expect(await site.cms.accounts.store.findByName("staff")).toEqual(before);
});

it("makes no token valid again, and undoes nothing that happened to an account meanwhile", async () => {
  const site = await memorySite({}, { RENDER: { HEADLESS: false } });
  await run(site);
  const { accounts } = site.cms;
  const stored = async () => (await accounts.store.findByName("anna"))!;
  const token = await tokenOf(accounts, await stored());
  const status = async () =>
    (await site.ask("GET", "api:users/current/", { headers: { authorization: `Token ${token}` } })).status;
  expect(await status()).toBe(200);
  await removeUser(accounts, (await stored()).id);
  await run(site, SITE, true);
  expect([(await stored()).username, await status()]).toEqual(["anna", 401]);

  // Planned, then revoked, disabled or removed here, then written.
  const changed = { ...anna, email: "new@example.org" };
  const plan = async () => planAccounts(site.cms, "test", [changed], false);
  const { id, token_version } = await stored();
  const first = await plan();
  await rotateToken(accounts, id);
  await first.apply();
  expect(await stored()).toMatchObject({ email: "new@example.org", token_version: token_version + 1 });
  const second = await planAccounts(site.cms, "test", [anna], false);
  await accounts.store.update(id, (account) => ({ ...account, is_active: false }));
  await second.apply();
  expect(await stored()).toMatchObject({ email: "new@example.org", is_active: false });
  const third = await planAccounts(site.cms, "test", [anna], true);
  await removeUser(accounts, id);
  await third.apply();
  expect(await accounts.store.findByName("anna")).toBeUndefined();
});
