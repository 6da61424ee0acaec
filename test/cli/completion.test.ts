/** `cms completion`: the scripts, run by the shells that are installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHELLS, type Shell } from "../../src/cli/completion-scripts.ts";
import { completionsOf } from "../../src/cli/completion-tree.ts";
import { commandsOf, createProgram } from "../../src/cli/program.ts";
import { cms, emptyFolder } from "./process.ts";

const TREE = completionsOf(createProgram());
const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** A folder with the script and the folders `first site` and `other`, and a file. */
function folderWith(shell: Shell): string {
  const dir = emptyFolder();
  writeFileSync(join(dir, "script"), SHELLS[shell](TREE));
  for (const name of ["first site", "other"]) mkdirSync(join(dir, name));
  writeFileSync(join(dir, "file"), "");
  return dir;
}

/** What bash proposes for a line, with the cursor behind its last word. */
function proposed(words: readonly string[]): string[] {
  const program = 'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cms; printf "%s\\n" "${COMPREPLY[@]}"';
  const options = { cwd: folderWith("bash"), encoding: "utf8" } as const;
  return execFileSync("bash", ["--norc", "-c", program, "bash", ...words], options)
    .split("\n")
    .filter(Boolean)
    .sort();
}

describe.skipIf(!isInstalled("bash"))("bash", () => {
  it.each<[words: readonly string[], proposals: readonly string[]]>([
    [["cms", "ser"], ["serve"]],
    [
      ["cms", "user", ""],
      ["add", "list", "passwd", "remove", "--help"],
    ],
    [
      ["cms", "user", "add", "anna", "--s"],
      ["--staff", "--superuser"],
    ],
    [
      ["cms", "serve", "--p"],
      ["--port", "--production"],
    ],
    [["cms", "serve", "--port", "--"], []],
    [
      ["cms", "serve", "--log", ""],
      ["human", "json"],
    ],
    [
      ["cms", "build", "--out", ""],
      ["first site", "other"],
    ],
    [["cms", "init", "o"], ["other"]],
    [
      ["cms", "init", "--l"],
      ["--languages", "--lfs"],
    ],
    [["cms", "completion", "f"], ["fish"]],
    [
      ["cms", "serve", "--host", "build", "--p"],
      ["--port", "--production"],
    ],
    [
      ["cms", "nonsense", "--"],
      ["--version", "--help"],
    ],
  ])("%j: %j", (words, proposals) => {
    expect(proposed(words)).toEqual([...proposals].sort());
  });

  it("has every flag of every command", () => {
    for (const { command, name } of commandsOf(createProgram()))
      expect(proposed(["cms", ...name.split(" "), "--"])).toEqual(
        expect.arrayContaining(command.options.map(({ long }) => long)),
      );
  });

  it("registers itself for both names of the program", () => {
    const options = { cwd: folderWith("bash"), encoding: "utf8" } as const;
    expect(execFileSync("bash", ["--norc", "-c", "source ./script; complete -p cms git-cms"], options)).toBe(
      "complete -F _cms cms\ncomplete -F _cms git-cms\n",
    );
  });
});

describe.each(["zsh", "fish"] as const)("%s", (shell) => {
  it.skipIf(!isInstalled(shell))("accepts the script", () => {
    expect(() => execFileSync(shell, ["-n", "script"], { cwd: folderWith(shell) })).not.toThrow();
  });

  it("names every command and flag, with its help", () => {
    const script = SHELLS[shell](TREE);
    for (const { command } of commandsOf(createProgram())) {
      expect(script).toContain(command.name());
      for (const { long, description } of command.options) {
        expect(script).toContain(long!.slice(2));
        expect(script).toContain(description.replaceAll("'", "'\\''"));
      }
    }
  });
});

it("the command prints the script, and refuses other shells", async () => {
  expect(await cms(["completion", "bash"])).toMatchObject({ code: 0, out: SHELLS.bash(TREE), err: "" });
  expect(await cms(["completion", "toString"])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("bash, zsh and fish"),
  });
});
