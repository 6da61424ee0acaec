import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { HOOK_EVENTS, hooks } from "../../src/config/hook-settings.ts";
import { messageOf } from "../../src/errors.ts";

const URL = "https://ci.example.org/hook?token=hunter2";
const SECRET = "env:CMS_HOOK_SECRET";

describe("HOOKS", () => {
  it("has all events and public addresses by default", () => {
    expect(hooks([{ URL }], "HOOKS", () => undefined)).toEqual([
      { URL, SECRET: null, EVENTS: HOOK_EVENTS, PRIVATE: false },
    ]);
    expect(hooks([{ URL, SECRET, EVENTS: ["media", "publish"], PRIVATE: true }], "HOOKS", () => undefined)).toEqual([
      { URL, SECRET, EVENTS: ["publish", "media"], PRIVATE: true },
    ]);
  });

  // oxfmt-ignore
  it.each<[unknown, RegExp]>([
    [{ URL, SECRET: "hunter2" },                             /HOOKS: found a value that is not shown, expected a list of up to 20 hooks/],
    [Array.from({ length: 21 }, () => ({ URL })),            /HOOKS: found a value that is not shown/],
    [["https://hunter2.example/"],                           /HOOKS\.0: found a value that is not shown, expected URL, SECRET, EVENTS, PRIVATE/],
    [[{ URL, SECRET: "hunter2" }],                           /HOOKS\.0\.SECRET: found a value that is not shown, expected env:NAME or file:PATH/],
    [[{ URL, SECRETS: "hunter2" }],                          /HOOKS\.0\.SECRETS: found a value that is not shown, expected only URL/],
    [[{ URL: "https://me:hunter2@ci.example.org/" }],        /HOOKS\.0\.URL: found a value that is not shown, expected an address/],
    [[{ URL: "ftp://ci.example.org/" }],                     /HOOKS\.0\.URL: /],
    [[{ SECRET }],                                           /HOOKS\.0\.URL: /],
    [[{ URL, EVENTS: [] }],                                  /HOOKS\.0\.EVENTS: found \[\], expected a list of some of change, publish, schedule, media, conflict/],
    [[{ URL, EVENTS: ["publish", "publish"] }],              /HOOKS\.0\.EVENTS: /],
    [[{ URL, EVENTS: ["deploy"] }],                          /HOOKS\.0\.EVENTS: found \["deploy"\]/],
    [[{ URL, PRIVATE: "yes" }],                              /HOOKS\.0\.PRIVATE: found "yes", expected true or false/],
  ])("%j is refused without showing what may be a secret", (value, complaint) => {
    let message = "";
    try {
      defaultConfig({ HOOKS: value as never });
    } catch (error) {
      message = messageOf(error);
    }
    expect(message).toMatch(complaint);
    expect(message).not.toContain("hunter2");
  });
});
