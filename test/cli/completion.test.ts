/** `cms completion`: the scripts, run by the shells that are installed. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHELLS, type Shell } from "../../src/cli/completion/completion-scripts.ts";
import { completionsOf } from "../../src/cli/completion/completion-tree.ts";
import { commandsOf, createProgram } from "../../src/cli/program.ts";
import { cms, emptyFolder } from "./process.ts";

const TREE = completionsOf(createProgram());
const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** The name of tests that are skipped where there is no such shell, with the reason. */
const withShell = (shell: Shell, name: string = shell): string =>
  isInstalled(shell) ? name : `${name} (skipped: there is no ${shell} here)`;

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

/** Command lines, with the cursor behind the last word, and what bash proposes there. */
const LINES: readonly (readonly [words: readonly string[], proposals: readonly string[]])[] = [
  [["cms", "ser"], ["serve"]],
  [
    ["cms", "user", ""],
    ["add", "list", "passwd", "reset", "remove", "--help"],
  ],
  [
    ["cms", "user", "add", "anna", "--s"],
    ["--staff", "--superuser"],
  ],
  [
    ["cms", "serve", "--p"],
    ["--poll", "--port", "--production"],
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
    ["--poll", "--port", "--production"],
  ],
  [
    ["cms", "nonsense", "--"],
    ["--version", "--help"],
  ],
];

describe.skipIf(!isInstalled("bash"))(withShell("bash"), () => {
  it.each(LINES)("%j: %j", (words, proposals) => {
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

/** The completions of zsh in a terminal of its own: what its widget adds, each in angle brackets. */
const IN_ZSH = `
zmodload zsh/zpty || exit 3
zpty z zsh -f -i
zpty -w z 'PROMPT=; stty -echo; autoload -Uz compinit; compinit -D -u; source ./script
bindkey "^I" complete-word
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a taken
  builtin compadd -A taken "$@"
  (( $#taken )) || return 1
  print -rl -- "<"\${^taken}">"
  builtin compadd "$@"
}
begin() { print -r -- "<<BEGIN>>" }
finish() { print -r -- "<<END>>" }
compprefuncs=(begin); comppostfuncs=(finish); print "<<READY>>"'
zpty -r z out '*<<READY>>*'
zpty -w -n z "$1"$'\\t'
zpty -r z out '*<<END>>*'
print -r -- \${\${out##*<<BEGIN>>}%%<<END>>*}
`;

const PROPOSED: Readonly<Record<"zsh" | "fish", (line: string, cwd: string) => readonly string[]>> = {
  zsh(line, cwd) {
    const shown = execFileSync("zsh", ["-f", "-c", IN_ZSH, "zsh", line], { cwd, encoding: "utf8" });
    return [...shown.matchAll(/<(.*?)>/g)].map(([, word]) => word!.replaceAll("\\", ""));
  },
  fish(line, cwd) {
    const program = `source ./script; complete -C '${line}'`;
    const shown = execFileSync("fish", ["--no-config", "-c", program], { cwd, encoding: "utf8" });
    return shown.split("\n").flatMap((each) => (each === "" ? [] : each.split("\t", 1)[0]!.replace(/\/$/, "")));
  },
};

/** fish takes `--` behind a flag with a value for the next flag. */
const LINES_IN = { zsh: LINES, fish: LINES.filter(([words]) => words.join(" ") !== "cms serve --port --") };

describe.each(["zsh", "fish"] as const)("%s", (shell) => {
  it.skipIf(!isInstalled(shell)).each(LINES_IN[shell])(
    withShell(shell, "%j: %j"),
    { timeout: 60_000 },
    (words, proposals) => {
      const found = new Set(PROPOSED[shell](words.join(" "), folderWith(shell)));
      // fish knows the flags that were declared, and shows them once a dash is typed.
      const isShown = (each: string): boolean => shell === "zsh" || each !== "--help";
      expect([...found].sort()).toEqual(proposals.filter(isShown).sort());
    },
  );

  it.skipIf(!isInstalled(shell))(withShell(shell, "completes both names of the program"), { timeout: 60_000 }, () => {
    expect(PROPOSED[shell]("git-cms ser", folderWith(shell))).toEqual(["serve"]);
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
