/**
 * Every route that writes content, by every role: the least role that may send a valid request. All below it are refused.
 *
 * A new route fails here until it has a row.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { memorySite } from "../site.ts";
import { requestOf, WRITE_FILES, WRITES } from "../support/writes.ts";

/** Each may what those before it may. `elsewhere` may do everything, in a section that no request is about. */
const ROLES = ["elsewhere", "reader", "author", "editor", "administrator", "superuser"] as const;
type Least = (typeof ROLES)[number];

const FILES = {
  ...WRITE_FILES,
  "content/roles.yaml":
    "roles: { elsewhere: { rules: [{ may: [view, create, edit, publish, trash, delete, propose, comment], below: /section }] } }\n",
  "content/pages/section.yaml": "id: 900\ntranslations: { en: { title: Section, permalink: /section } }\n",
};

/** Paths whose rows are those of another path. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/^(articles|models\/:model)(?=\/|$)/, "pages"],
  [/^media-folders/, "media-folder"],
];

async function leastOf(route: string): Promise<Least | "its author"> {
  const site = await memorySite(FILES);
  const asked = requestOf(route, await WRITES[route]!(site));
  for (const role of ROLES) {
    const rights = role === "superuser" ? { is_superuser: true } : { roles: [role] };
    const account = await addUser(site.cms.accounts, { username: `as-${role}`, password: "open sesame", ...rights });
    const authorization = `Token ${await tokenOf(site.cms.accounts, account)}`;
    const before = site.cms.store.current.commit;
    const { method, path, body, headers } = asked;
    const answer = await site.ask(method, `api:${path}`, { body, headers: { ...headers, authorization } });
    if (answer.status < 300) return role;
    const isUnseen = role === "elsewhere" && answer.text.includes("object does not exist");
    expect(isUnseen ? [400] : [403, 404], `${route}, ${role}: ${answer.text}`).toContain(answer.status);
    expect(site.cms.store.current.commit).toBe(before);
  }
  return "its author";
}

it("has the table of docs/security.md", { timeout: 60_000 }, async () => {
  const rows = new Map<string, string[]>();
  const methods = ["POST", "PUT", "PATCH", "DELETE"];
  for (const route of Object.keys(WRITES)) {
    const [method, path] = route.split(" ") as [string, string];
    const row = rows.get(path) ?? methods.map(() => "");
    row[methods.indexOf(method)] = await leastOf(route);
    rows.set(path, row);
  }
  const likeOther = (path: string): string => SAME.reduce((name, [from, to]) => name.replace(from, to), path);
  for (const [path, row] of rows) expect([path, row]).toEqual([path, rows.get(likeOther(path))]);
  const table = [
    "| Path | POST | PUT | PATCH | DELETE |",
    "|---|---|---|---|---|",
    ...[...rows]
      .filter(([path]) => likeOther(path) === path)
      .map(([path, row]) => `| \`${path}\` | ${row.join(" | ")} |`),
  ];
  const documentation = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
  expect(documentation).toContain(`${table.join("\n")}\n`);
});
