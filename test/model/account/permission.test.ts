import { describe, expect, it } from "vitest";
import { NO_RIGHTS, type Account } from "../../../src/model/account/account.ts";
import {
  canAdminister,
  findPermission,
  hasPermission,
  keyOf,
  PERMISSIONS,
} from "../../../src/model/account/permission.ts";

describe("PERMISSIONS", () => {
  it("have unique ids and keys", () => {
    expect(new Set(PERMISSIONS.map(({ id }) => id)).size).toBe(PERMISSIONS.length);
    expect(new Set(PERMISSIONS.map(keyOf)).size).toBe(PERMISSIONS.length);
    for (const permission of PERMISSIONS)
      expect([findPermission(permission.id), findPermission(keyOf(permission))]).toEqual([permission, permission]);
  });
});

const account = (changes: Partial<Account>): Account => ({ ...NO_RIGHTS, id: 1, username: "anna", ...changes });

describe("hasPermission", () => {
  const staff = { is_staff: true };
  const superuser = { is_superuser: true };
  // oxfmt-ignore
  it.each<[string, Partial<Account>, string, boolean]>([
    // who                      account                                              permission            may
    ["a superuser",             superuser,                                           "cms.change_page",    true],
    ["a superuser",             superuser,                                           "auth.add_user",      true],
    ["a narrowed superuser",    { ...superuser, user_permissions: [] },              "cms.change_page",    true],
    ["staff",                   staff,                                               "cms.change_page",    true],
    ["staff",                   staff,                                               "cms.delete_media",   true],
    ["staff",                   staff,                                               "pages.add_homepage", true],
    ["staff",                   staff,                                               "auth.change_user",   false], // or staff could make itself superuser
    ["staff",                   staff,                                               "cmsx.change_page",   false],
    ["narrowed staff",          { ...staff, user_permissions: ["cms.add_page"] },    "cms.add_page",       true],
    ["narrowed staff",          { ...staff, user_permissions: ["cms.add_page"] },    "cms.change_page",    false],
    ["staff with nothing",      { ...staff, user_permissions: [] },                  "cms.change_page",    false],
    ["staff with more",         { ...staff, user_permissions: ["auth.add_user"] },   "auth.add_user",      true],
    ["a reader",                {},                                                  "cms.change_page",    false],
    ["a reader given it",       { user_permissions: ["cms.change_page"] },           "cms.change_page",    true],
    ["an inactive superuser",   { ...superuser, is_active: false },                  "cms.change_page",    false],
    ["inactive staff",          { ...staff, is_active: false },                      "cms.change_page",    false],
  ])("%s %j: %s is %s", (_who, changes, permission, may) => {
    expect(hasPermission(account(changes), permission)).toBe(may);
  });
});

describe("covers", () => {
  const reader = {};
  const staff = { is_staff: true };
  const narrow = { is_staff: true, user_permissions: ["cms.change_page"] };
  const porter = { user_permissions: ["auth.add_user", "auth.change_user", "auth.delete_user"] };
  const superuser = { is_superuser: true };
  // oxfmt-ignore
  it.each<[string, Partial<Account>, string, Partial<Account>, boolean]>([
    ["a superuser",       superuser,                        "a superuser",        superuser,                                      true],
    ["a superuser",       superuser,                        "staff",              staff,                                          true],
    ["a porter",          porter,                           "a reader",           reader,                                         true],
    ["a porter",          porter,                           "a porter",           porter,                                         true],
    ["a porter",          porter,                           "staff",              staff,                                          false],
    ["a porter",          porter,                           "narrowed staff",     narrow,                                         false],
    ["a porter",          porter,                           "a superuser",        superuser,                                      false],
    ["a porter",          porter,                           "an inactive superuser", { ...superuser, is_active: false },            false], // could be activated
    ["a porter",          porter,                           "a reader with more", { user_permissions: ["cms.add_page"] },         false],
    ["staff",             staff,                            "narrowed staff",     narrow,                                         true],
    ["staff",             staff,                            "staff",              staff,                                          true],
    ["staff",             staff,                            "a porter",           porter,                                         false],
    ["narrowed staff",    narrow,                           "staff",              staff,                                          false],
    ["staff with a list", { is_staff: true, user_permissions: PERMISSIONS.map(keyOf) }, "staff", staff,                           false], // models no list names
    ["narrowed staff",    narrow,                           "a reader like it",   { user_permissions: ["cms.change_page"] },      true],
    ["staff",             staff,                            "one of a gone model", { user_permissions: ["auth.add_gone"] },       false],
    ["an author",         { roles: ["author"], is_staff: true }, "staff",         staff,                                          false],
    ["an author",         { roles: ["author"] },            "a reader",           reader,                                         false], // who sees everything
    ["staff",             staff,                            "an author",          { roles: ["author"] },                          false],
    ["a porter in roles", { ...porter, roles: ["author", "web"] }, "an author",   { roles: ["author"] },                          true],
    ["a porter in roles", { ...porter, roles: ["author"] }, "an author and more", { roles: ["author", "web"] },                   false],
    ["an author",         { roles: ["author"] },            "a porter in roles",  { ...porter, roles: ["author"] },               false],
    ["a dormant one",     { ...superuser, is_active: false }, "a reader",         reader,                                         false],
  ])("%s %j, %s %j: %s", (_by, by, _other, other, may) => {
    expect(canAdminister({ ...NO_RIGHTS, ...by }, { ...NO_RIGHTS, ...other })).toBe(may);
  });
});
