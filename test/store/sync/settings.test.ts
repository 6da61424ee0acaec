/** Settings with which the service would not start are not taken over. */
import { describe, expect, it } from "vitest";
import { bareRemote, complaintsOf, type Clone, type Remotes } from "./clones.ts";

const SETTINGS = "cms.config.yaml";
const NOTE = "content/note.txt";
const FILES = { [SETTINGS]: "LANGUAGES: { en: English }\nROUTER_CACHE: 10\n", [NOTE]: "one\n" };

/** Has another clone push what `change` does. */
function push(remote: Remotes, change: (clone: Clone) => void): void {
  const other = remote.clone();
  change(other);
  other.commit("By hand");
  other.git("push", "--quiet");
}

describe("a sync whose remote has settings that cannot be used", () => {
  it.each<[string, (clone: Clone) => void, RegExp]>([
    [
      "a wrong value",
      (a) => a.save(SETTINGS, "ROUTER_CACHE: soon\n"),
      /ROUTER_CACHE: found "soon", expected .*\. Mend/,
    ],
    ["an unknown key", (a) => a.save(SETTINGS, "ROUTER_CASHE: 1\n"), /did you mean ROUTER_CACHE\?/],
    ["no YAML", (a) => a.save(SETTINGS, "LANGUAGES: {\n"), /cms\.config\.yaml cannot be read: line 2/],
    ["no file", (a) => a.erase(SETTINGS), /They remove cms\.config\.yaml\./],
    ["two files", (a) => a.save("cms.config.json", "{}"), /both cms\.config\.yaml and cms\.config\.json/],
    ["a plugin that is none", (a) => a.save(SETTINGS, "plugins: [5]\n"), /plugins/],
  ])("is held: %s", async (_what, change, reason) => {
    const remote = bareRemote(FILES);
    const here = remote.clone();
    push(remote, (clone) => {
      clone.save(NOTE, "two\n");
      change(clone);
    });
    const before = here.head();
    for (const step of ["forward", "merge"]) {
      if (step === "merge") {
        here.save("content/own.txt", "own\n");
        here.commit("Own");
      }
      const head = here.head();
      await expect(here.sync(), step).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringMatching(reason),
      });
      expect([here.head(), here.text(NOTE), here.text(SETTINGS), complaintsOf(here)]).toEqual([
        head,
        "one\n",
        FILES[SETTINGS],
        "",
      ]);
    }
    expect(here.head()).not.toBe(before);
    push(remote, (clone) => {
      clone.git("rm", "-q", "-f", "--ignore-unmatch", "cms.config.json");
      clone.save(SETTINGS, "ROUTER_CACHE: 20\n");
    });
    expect(await here.sync()).toMatchObject({ outcome: "merged" });
    expect([here.text(NOTE), here.text(SETTINGS)]).toEqual(["two\n", "ROUTER_CACHE: 20\n"]);
  });

  it("is held where each side's settings can be used, and those of the merge cannot", async () => {
    const text = (languages: string, code: string): string =>
      `LANGUAGES:\n  en: English\n${languages}\n# far\n# from\n# each other\nLANGUAGE_CODE: ${code}\n`;
    const remote = bareRemote({ [SETTINGS]: text("  it: Italiano\n", "en") });
    const here = remote.clone();
    push(remote, (clone) => clone.save(SETTINGS, text("", "en")));
    here.save(SETTINGS, text("  it: Italiano\n", "it"));
    const head = here.commit("Own");
    await expect(here.sync()).rejects.toThrow(/LANGUAGE_CODE: found "it", expected one of LANGUAGES \(en\)/);
    expect([here.head(), complaintsOf(here)]).toEqual([head, ""]);
  });

  it("goes on with a module, a file under another name and plugins that are paths", async () => {
    const remote = bareRemote(FILES);
    const here = remote.clone();
    push(remote, (clone) => {
      clone.git("mv", SETTINGS, "cms.config.json");
      clone.save("cms.config.json", '{ "plugins": ["plugins/a.js"] }');
    });
    expect(await here.sync()).toMatchObject({ outcome: "forwarded" });
    push(remote, (clone) => {
      clone.git("mv", "cms.config.json", "cms.config.mjs");
      clone.save("cms.config.mjs", "export default {};\n");
    });
    expect(await here.sync()).toMatchObject({ outcome: "forwarded" });
  });
});
