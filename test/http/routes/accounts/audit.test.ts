/** The audit log: what it is told, by whom, from where; and that a flood does not fill it. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addUser, openAccounts } from "../../../../src/actions/accounts/accounts.ts";
import { countEvent, EVENTS_PER_HOUR } from "../../../../src/model/account/audit.ts";
import { memorySite, START, type MemorySite } from "../../../site.ts";
import { PASSWORD, signIn } from "./sign-in.ts";

interface Told {
  event: string;
  by: string | null;
  from: string | null;
  about: string | null;
  detail: string;
}

const auditOf = async (site: MemorySite, query = ""): Promise<Told[]> =>
  (await site.ask("GET", `api:audit/${query}`, { as: "superuser" })).body;

const lines = (events: readonly Told[]): string[] =>
  events.map(({ event, by, from, about, detail }) =>
    [event, by, from, about, detail].map((each) => each ?? "-").join(" | "),
  );

it("has sign-ins, refusals and changes of accounts, newest first", async () => {
  const site = await memorySite();
  const from = "192.0.2.7";
  await site.token("superuser");
  const { id } = await addUser(site.cms.accounts, { username: "anna", password: PASSWORD, is_staff: true });
  const credentials = { username: "anna", password: PASSWORD };
  await site.ask("POST", "api:auth/login/", { body: { ...credentials, password: "wrong" }, from });
  await site.ask("POST", "api:auth/login/", { body: { ...credentials, username: "hunter2" }, from });
  await site.ask("POST", "api:auth/login/", { body: credentials, from });
  await site.ask("POST", "api:token-auth/", { body: credentials, from });
  const anna = await signIn(site, "anna");
  await anna.ask("POST", "api:users/?secret=1", { body: {}, from });
  await anna.ask("GET", "api:pages/");
  await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { is_staff: false, first_name: "A" }, from });
  await site.ask("PATCH", `api:users/${id}/`, { as: "superuser", body: { last_name: "B" }, from });
  await site.ask("POST", `api:users/${id}/kickout/`, { as: "superuser", from });
  await site.ask("DELETE", `api:users/${id}/`, { as: "superuser", from });
  expect(lines(await auditOf(site))).toEqual([
    `account-removed | superuser | ${from} | anna | `,
    `access-revoked | superuser | ${from} | anna | `,
    `account-changed | superuser | ${from} | anna | is_staff`,
    `refused | anna | ${from} | - | POST /api/cms/users/: You do not have permission to perform this action.`,
    "signed-in | anna | - | - | password",
    `signed-in | anna | ${from} | - | token`,
    `signed-in | anna | ${from} | - | password`,
    `sign-in-refused | - | ${from} | - | unknown name`,
    `sign-in-refused | - | ${from} | anna | wrong password`,
    "account-added | - | - | anna | staff",
    "account-added | - | - | superuser | superuser",
  ]);
});

it("has changes of roles, whose content is in a commit", async () => {
  const site = await memorySite();
  const roles = { press: { rules: [{ may: ["view"] }] } };
  expect((await site.ask("PUT", "api:roles/", { as: "superuser", body: { roles } })).status).toBe(200);
  expect(lines((await auditOf(site)).slice(0, 1))).toEqual([
    `roles-changed | superuser | - | - | commit ${site.cms.store.current.commit}`,
  ]);
});

it("is filtered, searched and paged as other lists are, for superusers alone", async () => {
  const site = await memorySite();
  await site.token("superuser");
  for (const username of ["anna", "bruno"]) await addUser(site.cms.accounts, { username, password: PASSWORD });
  site.clock.tick(60_000);
  await site.ask("GET", "api:audit/", { as: "staff" });
  expect(lines(await auditOf(site, "?fltr=event=refused"))).toHaveLength(1);
  expect(lines(await auditOf(site, "?search=bruno"))).toEqual(["account-added | - | - | bruno | "]);
  expect((await site.ask("GET", "api:audit/?items=2&page=2", { as: "superuser" })).body.paginator.count).toBe(5);
  expect((await site.ask("GET", "api:audit/", { as: "staff" })).status).toBe(403);
});

it("is private, is removed by age, and survives lines that are damaged", async () => {
  const site = await memorySite({}, { AUDIT: { KEEP: 30 } });
  const dir = join(site.cms.store.repo.stateDir, "audit");
  mkdirSync(dir, { mode: 0o700 });
  const old = { at: "2026-01-01T00:00:00.000Z", event: "refused", by: null, from: null, about: null, detail: "" };
  writeFileSync(join(dir, "2026-01-01.jsonl"), `${JSON.stringify(old)}\n`);
  // A command beside the server removes nothing.
  const beside = openAccounts(site.cms.store.repo.stateDir, site.cms.env, { from: "command line" });
  await addUser(beside, { username: "anna", password: PASSWORD });
  await beside.auditLog.settled();
  expect(existsSync(join(dir, "2026-01-01.jsonl"))).toBe(true);
  const today = join(dir, `${START.slice(0, 10)}.jsonl`);
  expect([statSync(dir).mode & 0o777, statSync(today).mode & 0o777]).toEqual([0o700, 0o600]);
  appendFileSync(today, '{"at": "2026-03-01T1\n{"event": "refused"}\nnull\n');
  expect(lines(await auditOf(site))).toEqual([
    "account-added | - | - | superuser | superuser",
    "account-added | - | command line | anna | ",
  ]);
  expect(existsSync(join(dir, "2026-01-01.jsonl"))).toBe(false);
  expect(readFileSync(today, "utf8")).not.toContain(PASSWORD);
});

it("keeps so many events of an hour from each source, and says when it keeps no more", async () => {
  const site = await memorySite();
  await site.token("superuser");
  const strangers = { by: null, from: "192.0.2.7", about: null };
  for (let at = 0; at < 3 * EVENTS_PER_HOUR; at++)
    site.cms.accounts.auditLog.add({ at: site.clock.now(), event: "sign-in-refused", detail: "", ...strangers });
  await signIn(site, "anna");
  const [newest, ...rest] = await auditOf(site);
  // One event is the account of this test.
  expect(rest.filter(({ event }) => event === "sign-in-refused")).toHaveLength(EVENTS_PER_HOUR - 1);
  expect(lines([newest!, rest[0]!])).toEqual([
    "signed-in | anna | - | - | password",
    "not-kept | - | 192.0.2.7 | - | Further events of this hour are not kept.",
  ]);
  site.clock.tick(3600_000);
  await addUser(site.cms.accounts, { username: "bruno", password: PASSWORD });
  expect(lines((await auditOf(site)).slice(0, 1))).toEqual(["account-added | - | - | bruno | "]);
});

it.each([
  [undefined, 1, "kept"],
  [{ hour: "2026-03-01T12", count: EVENTS_PER_HOUR - 1 }, EVENTS_PER_HOUR, "kept"],
  [{ hour: "2026-03-01T12", count: EVENTS_PER_HOUR }, EVENTS_PER_HOUR + 1, "last"],
  [{ hour: "2026-03-01T12", count: EVENTS_PER_HOUR + 1 }, EVENTS_PER_HOUR + 2, "dropped"],
  [{ hour: "2026-03-01T11", count: 999 }, 1, "kept"],
] as const)("after %j the event is number %i: %s", (before, count, fate) => {
  expect(countEvent(before, START as Parameters<typeof countEvent>[1])).toEqual([
    { hour: "2026-03-01T12", count },
    fate,
  ]);
});
