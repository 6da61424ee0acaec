/** Values that an account typed and did not save: private to it, by page and language. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PER_ACCOUNT } from "../../../../src/store/private/autosaves.ts";
import { memorySite } from "../../../site.ts";

const NONE = { values: null, version: null, saved_at: null, tabs: [] };

async function edited() {
  const site = await memorySite();
  const { id } = await site.page({ title: "About" });
  const at = `api:pages/${id}/autosave/`;
  const head = (await site.repo.state()).head;
  return { ...site, id, at, head };
}

it("is given back to the same account for the same page and language only, and is no commit", async () => {
  const { ask, at, head, repo } = await edited();
  expect((await ask("GET", at, { as: "staff" })).body).toEqual(NONE);
  const typed = { values: { title: "Abou", template_data: { lead: "" } }, version: "v1" };
  const kept = { ...typed, saved_at: "2026-03-01T12:00:00Z" };
  expect(await ask("PUT", at, { as: "staff", body: typed })).toMatchObject({ status: 200, body: kept });
  expect((await ask("GET", at, { as: "staff" })).body).toEqual({ ...kept, tabs: [{ tab: "", ...kept }] });
  expect((await ask("GET", `${at}?language=it`, { as: "staff" })).body).toEqual(NONE);
  expect((await ask("GET", at, { as: "superuser" })).body).toEqual(NONE);
  expect((await ask("DELETE", at, { as: "staff" })).status).toBe(204);
  expect((await ask("GET", at, { as: "staff" })).body).toEqual(NONE);
  expect((await repo.state()).head).toBe(head);
});

it("is kept for each tab, and put together field by field, the newest last", async () => {
  const { ask, at, clock } = await edited();
  const put = (tab: string, values: object) =>
    ask("PUT", `${at}?tab=${tab}`, { as: "staff", body: { values, version: "v1" } });
  await put("a", { title: "A", description: "A" });
  clock.tick(1_000);
  await put("b", { title: "B" });
  const { body } = await ask("GET", at, { as: "staff" });
  expect(body).toMatchObject({ values: { title: "B", description: "A" }, version: "v1" });
  expect(body.tabs).toMatchObject([
    { tab: "a", values: { title: "A", description: "A" } },
    { tab: "b", values: { title: "B" } },
  ]);
  expect((await ask("DELETE", `${at}?tab=b`, { as: "staff" })).status).toBe(204);
  expect((await ask("GET", at, { as: "staff" })).body.values).toEqual({ title: "A", description: "A" });
  for (let n = 0; n < 12; n++) await put(`t${n}`, { title: String(n) });
  expect((await ask("GET", at, { as: "staff" })).body.tabs).toHaveLength(10);
  expect((await ask("PUT", `${at}?tab=../x`, { as: "staff", body: { values: {} } })).status).toBe(400);
  expect((await ask("DELETE", at, { as: "staff" })).status).toBe(204);
  expect((await ask("GET", at, { as: "staff" })).body).toEqual(NONE);
});

it.each([
  [[], 400, { non_field_errors: [expect.any(String)] }],
  [{ values: "text" }, 400, { values: [expect.any(String)] }],
  [{ values: {}, version: 1 }, 400, { version: [expect.any(String)] }],
  [{ values: {}, more: 1 }, 400, { more: [expect.any(String)] }],
])("refuses %j", async (body, status, errors) => {
  const { ask, at } = await edited();
  expect(await ask("PUT", at, { as: "staff", body })).toMatchObject({ status, body: errors });
});

it("is 404 for a page that does not exist", async () => {
  const { ask } = await edited();
  expect((await ask("PUT", "api:pages/999/autosave/", { as: "staff", body: { values: {} } })).status).toBe(404);
});

const PAGES = Object.fromEntries(
  Array.from({ length: PER_ACCOUNT }, (_, at) => [
    `content/pages/p${at}.yaml`,
    `id: ${1000 + at}\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en: { title: P${at} }\n`,
  ]),
);

it("keeps a limited number for an account, in files that only this machine's user can read", async () => {
  const { ask, repo } = await memorySite(PAGES);
  const at = "api:pages/1000/autosave/";
  await ask("PUT", at, { as: "staff", body: { values: { title: "A" } } });
  const dir = join(repo.stateDir, "autosaves");
  const [name = ""] = readdirSync(dir);
  expect(statSync(join(dir, name)).mode & 0o077).toBe(0);
  const account = name.split("-")[0]!;
  for (let n = 1; n < PER_ACCOUNT; n++) writeFileSync(join(dir, `${account}-${1000 + n}-en.json`), "{}");
  expect((await ask("PUT", at, { as: "staff", body: { values: { title: "AB" } } })).status).toBe(200);
  expect(await ask("PUT", `${at}?language=it`, { as: "staff", body: { values: {} } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining(String(PER_ACCOUNT)) },
  });
  expect(readFileSync(join(dir, name), "utf8")).toContain("AB");

  // A page that was removed by hand or on another machine leaves its values until their room is needed.
  writeFileSync(join(dir, `${account}-7-en.json`), "{}");
  rmSync(join(dir, `${account}-1001-en.json`));
  expect((await ask("PUT", `${at}?language=it`, { as: "staff", body: { values: {} } })).status).toBe(200);
  expect(readdirSync(dir)).not.toContain(`${account}-7-en.json`);
  expect(readdirSync(dir)).toHaveLength(PER_ACCOUNT);
});

it("ends with its page, in every account and language, and with those of the pages below it", async () => {
  const { ask, page, repo } = await memorySite();
  const [parent, other, kept] = [await page({ title: "A" }), await page({ title: "B" }), await page({ title: "C" })];
  const child = await page({ title: "D", parent_page: parent.id });
  const body = { values: { title: "E" } };
  for (const { id } of [parent, other, kept, child])
    for (const as of ["staff", "superuser"] as const)
      for (const lang of ["en", "it"])
        expect((await ask("PUT", `api:pages/${id}/autosave/?language=${lang}`, { as, body })).status).toBe(200);
  const files = (): number => readdirSync(join(repo.stateDir, "autosaves")).length;
  expect(files()).toBe(16);
  expect((await ask("DELETE", `api:pages/${parent.id}/`, { as: "superuser" })).status).toBe(204);
  expect(files()).toBe(8);
  expect((await ask("POST", "api:pages/bulk_delete/", { as: "superuser", body: [other.id] })).status).toBe(200);
  expect(files()).toBe(4);
  expect((await ask("GET", `api:pages/${kept.id}/autosave/`, { as: "staff" })).body.values).toEqual(body.values);
});

it("ends with its account, removed over HTTP or otherwise, also what was still being written then", async () => {
  const { ask, at, repo, cms } = await edited();
  const put = (as: "staff" | "superuser") => ask("PUT", at, { as, body: { values: { title: "A" } } });
  const owners = () => readdirSync(join(repo.stateDir, "autosaves")).map((name) => Number(name.split("-")[0]));
  await put("staff");
  await put("superuser");
  const [staff, superuser] = await Promise.all(
    ["staff", "superuser"].map((name) => cms.accounts.store.findByName(name)),
  );
  await cms.autosaves.write(
    { account: 77, page: 1, lang: "en" },
    "",
    { values: {}, version: null, saved_at: cms.env.now() },
    () => true,
  );
  expect(owners().sort()).toEqual([staff!.id, superuser!.id, 77].sort());
  expect((await ask("DELETE", `api:users/${staff!.id}/`, { as: "superuser" })).status).toBe(204);
  expect(owners()).toEqual([superuser!.id]);
  await cms.users.delete(superuser!.id);
  expect(owners()).toEqual([]);
});
