import { describe, expect, it } from "vitest";
import { NO_RIGHTS, type Account } from "../../../src/model/account/account.ts";
import { hasPermission } from "../../../src/model/account/permission.ts";
import { isViewNarrowed, may, withRights, type Principal, type Target } from "../../../src/model/access/role-rights.ts";
import { BUILT_IN, type Roles } from "../../../src/model/access/role.ts";
import type { Action, Rule } from "../../../src/model/access/rule.ts";

const JOURNAL = 7;
const ROLES: Roles = new Map([
  ...BUILT_IN,
  ["journalist", { label: "Journalist", rules: [{ may: ["view", "create", "edit", "publish"], below: "/journal" }] }],
  ["translator", { label: "Translator", rules: [{ may: ["view", "edit"], languages: ["it"] }] }],
  ["proof", { label: "Proof reader", rules: [{ may: ["view"] }, { may: ["edit"], fields: ["title"] }] }],
  ["novice", { label: "Novice", rules: [{ may: ["view", "edit", "trash"], when: "unpublished" }] }],
  ["librarian", { label: "Librarian", rules: [{ may: ["view", "create", "edit", "delete"], models: ["media"] }] }],
  ["builder", { label: "Builder", rules: [{ may: ["edit"], models: ["metatype", "recipe"] }] }],
  ["lost", { label: "Lost", rules: [{ may: ["view", "edit"], below: "/gone" }] }],
]);
const CONTENT = { roles: ROLES, section: (below: string | number) => (below === "/journal" ? JOURNAL : undefined) };

const who = (...roles: string[]): Principal => ({ ...NO_RIGHTS, roles });
const above: Target = { model: "page", path: [3, 1], language: "it" };
const inside: Target = { model: "page", path: [9, JOURNAL, 1], language: "it" };

describe("may", () => {
  // oxfmt-ignore
  it.each<[string, Principal, Action, Target, boolean]>([
    // who                        account                   action     target                                may
    ["a reader",                  who("reader"),            "view",    above,                                true],
    ["a reader",                  who("reader"),            "edit",    above,                                false],
    ["an author",                 who("author"),            "edit",    above,                                true],
    ["an author",                 who("author"),            "publish", above,                                false],
    ["an author",                 who("author"),            "trash",   above,                                false],
    ["an editor",                 who("editor"),            "publish", above,                                true],
    ["an editor",                 who("editor"),            "edit",    { model: "metatype" },                false],
    ["an editor",                 who("editor"),            "view",    { model: "metatype" },                true],
    ["an administrator",          who("administrator"),     "edit",    { model: "metatype" },                true],
    ["a role of a section",       who("journalist"),        "edit",    inside,                               true],
    ["of the section itself",     who("journalist"),        "edit",    { model: "page", path: [JOURNAL] },   true],
    ["a role of a section",       who("journalist"),        "edit",    above,                                false],
    ["a role of a section",       who("journalist"),        "view",    above,                                false],
    ["what has no place",         who("journalist"),        "edit",    { model: "media" },                   false],
    ["a section that is gone",    who("lost"),              "view",    inside,                               false],
    ["two roles add up",          who("author", "journalist"), "publish", inside,                            true],
    ["and not beyond",            who("author", "journalist"), "publish", above,                             false],
    ["a role of a language",      who("translator"),        "edit",    above,                                true],
    ["another language",          who("translator"),        "edit",    { ...above, language: "en" },         false],
    ["all languages",             who("translator"),        "edit",    { model: "page" },                    false],
    ["views every language",      who("translator"),        "view",    { ...above, language: "en" },         true],
    ["a role of a field",         who("proof"),             "edit",    { ...above, field: "title" },         true],
    ["another field",             who("proof"),             "edit",    { ...above, field: "permalink" },     false],
    ["the record as a whole",     who("proof"),             "edit",    above,                                false],
    ["until it is public",        who("novice"),            "trash",   above,                                true],
    ["once it is public",         who("novice"),            "trash",   { ...above, isPublic: true },         false],
    ["a role of a model",         who("librarian"),         "delete",  { model: "media" },                   true],
    ["another model",             who("librarian"),         "delete",  above,                                false],
    ["structure by its name",     who("builder"),           "edit",    { model: "metatype" },                true],
    ["a role that is not there",  who("nobody"),            "view",    above,                                false],
    ["beside one that is",        who("nobody", "author"),  "edit",    above,                                true],
    ["a superuser with a role",   { ...who("reader"), is_superuser: true }, "delete", above,                 true],
    ["a disabled account",        { ...who("editor"), is_active: false },   "view",   above,                 false],
    // Without roles: permissions, as ever.
    ["staff",                     { ...who(), is_staff: true },                                      "publish", above, true],
    ["a reader by permissions",   who(),                                                             "view",    above, true],
    ["a reader by permissions",   who(),                                                             "edit",    above, false],
    ["with a permission",         { ...who(), user_permissions: ["cms.change_page"] },               "publish", above, true],
    ["with a permission",         { ...who(), user_permissions: ["cms.change_page"] },               "delete",  above, false],
    ["custom page models",        { ...who(), user_permissions: ["cms.change_page"] },               "edit",    { model: "recipe" }, true],
    ["other models",              { ...who(), user_permissions: ["cms.change_page"] },               "edit",    { model: "tag" }, false],
  ])("%s: %j, %s %j: %s", (_what, account, action, target, isAllowed) => {
    expect(may(account, action, target, CONTENT).isAllowed).toBe(isAllowed);
  });

  it("asks a narrowed token besides the account", () => {
    const narrowedBy: Rule[] = [{ may: ["view", "edit"], below: "/journal" }];
    const verdicts = (account: Principal) =>
      (["edit", "publish"] as const).flatMap((action) =>
        [inside, above].map((target) => may(account, action, target, CONTENT).isAllowed),
      );
    expect(verdicts({ ...who(), is_superuser: true, narrowedBy })).toEqual([true, false, false, false]);
    expect(verdicts({ ...who("reader"), narrowedBy })).toEqual([false, false, false, false]);
    expect(verdicts({ ...who(), is_staff: true, narrowedBy: [] })).toEqual([false, false, false, false]);
  });

  it.each<[Principal, Action, Target, string]>([
    [who("author"), "publish", above, "Your role (Author) may not publish this page (it)."],
    [who("author", "reader"), "publish", above, "None of your roles (Author, Reader) may publish this page (it)."],
    [who("journalist"), "edit", above, "Your role (Journalist) may not edit this page (it): only below /journal."],
    [
      who("translator"),
      "edit",
      { model: "tag" },
      "Your role (Translator) may not edit this tag: only in the language it.",
    ],
    [
      who("novice"),
      "trash",
      { ...above, isPublic: true },
      "Your role (Novice) may not trash this page (it): only what is not public yet.",
    ],
    [
      who("proof"),
      "edit",
      { model: "article", id: 12, language: "en", field: "slug" },
      "Your role (Proof reader) may not edit slug of article 12 (en): only the fields title.",
    ],
    [
      { ...who(), is_staff: true, narrowedBy: [{ may: ["view"] }] },
      "edit",
      above,
      "This token may not edit this page (it).",
    ],
    [who("editor"), "edit", { model: "role" }, "Only superusers may change roles."],
    [who("x"), "view", above, "Your role (x) does not exist on this site, and may not view this page (it)."],
  ])("%j, %s: says why", (account, action, target, reason) => {
    expect(may(account, action, target, CONTENT)).toEqual({ isAllowed: false, reason });
  });
});

describe("withRights", () => {
  const keys = (account: Principal) => {
    const rights = withRights(account, ROLES);
    const has = ["view_page", "add_page", "change_page", "delete_page", "change_media", "change_metatype"].filter(
      (key) => hasPermission(rights, `cms.${key}`),
    );
    return [rights.is_staff, rights.is_superuser, has.join(" ")];
  };
  // oxfmt-ignore
  it.each<[string, Principal, boolean, boolean, string]>([
    ["a reader",          who("reader"),     false, false, "view_page"],
    ["an author",         who("author"),     true,  false, "view_page add_page change_page change_media"],
    ["a custom model",    who("builder"),    true,  false, "change_page change_metatype"],
    ["no such role",      who("nobody"),     false, false, ""],
    ["a narrowed token",  { ...who(), is_superuser: true, narrowedBy: [{ may: ["view"], models: ["page"] }] }, true, false, "view_page"],
  ])("%s", (_who, account, isStaff, isSuperuser, permissions) => {
    expect(keys(account)).toEqual([isStaff, isSuperuser, permissions]);
  });

  it("leaves an account without roles as it is, and rights over accounts", () => {
    const staff: Account = { ...who(), is_staff: true };
    expect(withRights(staff, ROLES)).toBe(staff);
    const porter = { ...who("author"), user_permissions: ["auth.add_user", "cms.delete_page"] };
    const rights = withRights(porter, ROLES);
    expect(["auth.add_user", "cms.delete_page"].map((key) => hasPermission(rights, key))).toEqual([true, false]);
  });
});

describe("isViewNarrowed", () => {
  it.each<[Principal, boolean]>([
    [who(), false],
    [who("author"), false],
    [who("translator"), false],
    [who("journalist"), true],
    [who("journalist", "reader"), false],
    [who("librarian"), true],
    [who("nobody"), true],
    [{ ...who(), narrowedBy: [{ may: ["view"], models: ["page"] }] }, true],
    [{ ...who("lost"), is_superuser: true }, false],
  ])("%j: %s", (account, isNarrowed) => {
    expect(isViewNarrowed(account, ROLES)).toBe(isNarrowed);
  });
});
