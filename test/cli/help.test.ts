/** Help of every command, and suggestions for mistyped ones. */
import { describe, expect, it } from "vitest";
import { EXAMPLE_NAMES, examplesOf } from "../../src/cli/examples.ts";
import { commandsOf, createProgram } from "../../src/cli/program.ts";
import { cms } from "./process.ts";

const COMMANDS = commandsOf(createProgram());

describe.each(COMMANDS)("cms $name", ({ command, name }) => {
  it("says what it does, and what each flag does", () => {
    expect(command.description()).not.toBe("");
    for (const { description } of command.options) expect(description).not.toBe("");
  });

  it("has examples with flags that exist", () => {
    expect(examplesOf(name)).not.toEqual([]);
    for (const [line] of examplesOf(name)) {
      // What follows && is another command.
      const flags = [...line.split(" && ")[0]!.matchAll(/(?<= )--[a-z-]+/g)].map(([flag]) => flag);
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    }
  });
});

it("has examples for commands that exist alone", () => {
  expect(EXAMPLE_NAMES.filter((name) => COMMANDS.every((each) => each.name !== name))).toEqual([]);
});

it("is printed with the examples", async () => {
  const { code, out } = await cms(["publish-scheduled", "--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/\nExamples:\n {2}cms publish-scheduled --dry-run +prints what is due\n/);
});

it.each([
  [["serev"], "serve"],
  [["user", "lst"], "list"],
  [["serve", "--prot", "1"], "--port"],
])("%j: did you mean %s?", async (args, meant) => {
  expect(await cms(args)).toMatchObject({ code: 2, err: expect.stringContaining(`(Did you mean ${meant}?)`) });
});
