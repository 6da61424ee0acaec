/** Values that an account typed and did not save: private to it, by page and language. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PER_ACCOUNT } from "../../src/store/private/autosaves.ts";
import { memorySite } from "../site.ts";

const NONE = { values: null, version: null, saved_at: null };

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
  expect((await ask("GET", at, { as: "staff" })).body).toEqual(kept);
  expect((await ask("GET", `${at}?language=it`, { as: "staff" })).body).toEqual(NONE);
  expect((await ask("GET", at, { as: "superuser" })).body).toEqual(NONE);
  expect((await ask("DELETE", at, { as: "staff" })).status).toBe(204);
  expect((await ask("GET", at, { as: "staff" })).body).toEqual(NONE);
  expect((await repo.state()).head).toBe(head);
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

it("keeps a limited number for an account, in files that only this machine's user can read", async () => {
  const { ask, at, repo } = await edited();
  await ask("PUT", at, { as: "staff", body: { values: { title: "A" } } });
  const dir = join(repo.stateDir, "autosaves");
  const [name = ""] = readdirSync(dir);
  expect(statSync(join(dir, name)).mode & 0o077).toBe(0);
  const account = name.split("-")[0]!;
  for (let page = 1; page < PER_ACCOUNT; page++) writeFileSync(join(dir, `${account}-${page}000000-en.json`), "{}");
  expect((await ask("PUT", at, { as: "staff", body: { values: { title: "AB" } } })).status).toBe(200);
  expect(await ask("PUT", `${at}?language=it`, { as: "staff", body: { values: {} } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining(String(PER_ACCOUNT)) },
  });
  expect(readFileSync(join(dir, name), "utf8")).toContain("AB");
});
