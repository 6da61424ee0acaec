/** Roles over HTTP and in their file. */
import { describe, expect, it } from "vitest";
import { allProblems } from "../../../../src/store/check/check.ts";
import { memorySite } from "../../../site.ts";

const WEB = { label: "Web team", rules: [{ may: ["view", "edit"], below: "/journal", languages: ["it"] }] };
const names = (roles: readonly { name: string; is_built_in: boolean }[]): string[] =>
  roles.map(({ name, is_built_in: isBuiltIn }) => (isBuiltIn ? name : `${name}*`));

describe("roles/", () => {
  it("are written to content/roles.yaml, and read from it", async () => {
    const { ask, repo } = await memorySite();
    expect(names((await ask("GET", "api:roles/", { as: "reader" })).body)).toEqual([
      "reader",
      "author",
      "editor",
      "administrator",
    ]);
    const written = await ask("PUT", "api:roles/", { as: "superuser", body: { roles: { web: WEB } } });
    expect([written.status, names(written.body)]).toEqual([
      200,
      ["reader", "author", "editor", "administrator", "web*"],
    ]);
    expect(repo.text("content/roles.yaml")).toBe(
      [
        "roles:",
        "  web:",
        "    label: Web team",
        "    rules:",
        "      - may:",
        "          - view",
        "          - edit",
        "        below: /journal",
        "        languages:",
        "          - it",
        "",
      ].join("\n"),
    );
    await ask("PUT", "api:roles/", { as: "superuser", body: { roles: {} } });
    expect(repo.text("content/roles.yaml")).toBeUndefined();
  });

  it("stay while an account has them", async () => {
    const { ask } = await memorySite();
    await ask("PUT", "api:roles/", { as: "superuser", body: { roles: { web: WEB } } });
    const anna = { username: "anna", password: "open sesame", roles: ["web"] };
    expect((await ask("POST", "api:users/", { as: "superuser", body: anna })).body.roles).toEqual(["web"]);
    const refused = await ask("PUT", "api:roles/", { as: "superuser", body: { roles: {} } });
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      "anna has the role web: give the account another one first.",
    ]);
  });

  it.each([
    [{}, { roles: ["A mapping of at most 200 roles by their names is expected."] }],
    [{ roles: { web: {} } }, { roles: { web: { rules: ["A list of at most 200 rules is expected."] } } }],
    [
      { roles: { Web: WEB } },
      { roles: { Web: { label: ["A role is named in lower case: letters, digits, - and _."] } } },
    ],
    [
      { roles: { web: { rules: [{ may: ["view", "fly"] }, { may: [] }] } } },
      {
        roles: {
          web: {
            rules: {
              0: { may: { 1: [expect.stringMatching(/^One of view, create/)] } },
              1: { may: ["A list of 1 to 200 names is expected."] },
            },
          },
        },
      },
    ],
    [
      { roles: { web: { rules: [{ may: ["publish"], fields: ["title"], below: "journal", when: "late", role: 1 }] } } },
      {
        roles: {
          web: {
            rules: {
              0: {
                role: ["There is no such key; a rule has may, models, below, languages, fields, when."],
                fields: ["Fields narrow `edit` alone: give the other actions a rule of their own."],
                below: ["The permalink of a page, as /journal, or its id is expected."],
                when: ["One of public, unpublished is expected."],
              },
            },
          },
        },
      },
    ],
    [
      { roles: { web: { rules: [{ may: ["view"], languages: ["xx"] }] } } },
      { roles: { web: { rules: { 0: { languages: { 0: [expect.stringMatching(/^One of en/)] } } } } } },
    ],
  ])("%j is refused", async (body, errors) => {
    const { ask } = await memorySite();
    const answer = await ask("PUT", "api:roles/", { as: "superuser", body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("of a file that does not load are none, the built-in ones included", async () => {
    const { ask, cms } = await memorySite({
      "content/roles.yaml": "roles:\n  editor:\n    rules:\n      - may: [view]\n      - may: [fly]\n",
    });
    expect((await ask("GET", "api:roles/", { as: "reader" })).body).toEqual([]);
    expect(cms.store.current.problems).toEqual([
      expect.objectContaining({ path: "content/roles.yaml", line: 5, column: expect.any(Number) }),
    ]);
  });

  it("whose rules hold nowhere are reported at their place", async () => {
    const { cms } = await memorySite({
      "content/roles.yaml":
        "roles:\n  web:\n    rules:\n      - may: [view]\n        below: /gone\n        models: [page, recipe, redirect]\n",
    });
    const found = await allProblems(cms.store, cms.locales);
    expect(found.map(({ line, message }) => [line, message])).toEqual([
      [5, "roles.web.rules.0.below: There is no page /gone: the rule holds nowhere."],
      [6, "roles.web.rules.0.models.1: There is no model recipe."],
    ]);
  });
});
