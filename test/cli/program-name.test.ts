/** Printed commands are called as this program was: by npx, by a script of npm, or by its name. */
import { describe, expect, it } from "vitest";
import { helpAsCalled, programName } from "../../src/cli/program-name.ts";
import { processIo } from "../../src/cli/terminal.ts";
import { cms, emptyFolder } from "./process.ts";

const PATH = "/usr/local/bin:/usr/bin";

describe("programName", () => {
  // oxfmt-ignore
  it.each<[env: NodeJS.ProcessEnv, program: string | undefined, name: string]>([
    [{ PATH },                              "/usr/local/bin/cms",                    "cms"],
    [{ PATH },                              "/usr/bin/git-cms",                      "git-cms"],
    [{ PATH },                              "/site/node_modules/.bin/cms",           "npx git-cms"],
    [{ PATH },                              "/s/node_modules/git-cms/bin/cms.cjs",   "npx git-cms"],
    [{ PATH, npm_command: "exec" },         "/site/node_modules/.bin/cms",           "npx git-cms"],
    [{ PATH, npm_command: "run-script" },   "/usr/local/bin/cms",                    "npx git-cms"],
    [{ PATH: "/s/node_modules/.bin" },      "/s/node_modules/.bin/git-cms",          "git-cms"],
    [{},                                    "/program/bin/cms.cjs",                  "cms"],
    [{},                                    undefined,                               "cms"],
  ])("%j %s: %s", (env, program, name) => expect(programName({ env, program })).toBe(name));
});

describe("a command called by npx", () => {
  const env = { npm_command: "exec" };

  it("names the next commands so in errors, hints and help", async () => {
    const cwd = emptyFolder();
    expect((await cms(["check"], { cwd, env })).err).toContain("run `npx git-cms init`");
    expect((await cms(["check"], { cwd })).err).toContain("run `cms init`");
    const { out } = await cms(["check", "--help"], { env });
    expect(out).toContain("Usage: npx git-cms check [options]");
    expect(out).toMatch(/^ {2}npx git-cms check --strict --json {2,}for CI/m);
    expect((await cms(["chek"], { env })).err).not.toMatch(/\bcms check/);
  });

  it("replaces commands only", () => {
    const text =
      "Usage: cms [options]\n  source <(cms completion bash)\n  git config merge.cms.driver, in .cms/ and cms.config.yaml";
    expect(helpAsCalled({ ...processIo, env }, text)).toBe(
      text.replace("Usage: cms", "Usage: npx git-cms").replace("(cms", "(npx git-cms"),
    );
  });
});
