/** `cms init` in a terminal, without arguments. */
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { registerInit } from "../../../src/cli/commands/init.ts";
import { askForMissing, type InitAnswers } from "../../../src/cli/init/init-questions.ts";
import type { Io } from "../../../src/cli/terminal.ts";

/** A terminal at which each question is answered with the next line. */
function terminal(lines: readonly string[]): { io: Io; shown(): string } {
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const open = [...lines];
  let shown = "";
  stderr.on("data", (chunk) => {
    shown += String(chunk);
    if (String(chunk).endsWith("]: ") && open.length > 0) stdin.write(`${open.shift()}\n`);
  });
  const io: Io = {
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout: stderr,
    stderr,
    env: {},
    setExitCode: () => {},
  };
  return { io, shown: () => shown };
}

describe("the questions of `cms init`", () => {
  it.each<[InitAnswers, string[], InitAnswers]>([
    [{}, ["", "", ""], { dir: "my-site", starter: "lighthouse", languages: "en,it" }],
    [{}, ["shop", " blog ", "de"], { dir: "shop", starter: "blog", languages: "de" }],
    [{ languages: "fr" }, [".", "business"], { dir: ".", starter: "business", languages: "fr" }],
    [{ starter: "blog", languages: "fr" }, [""], { dir: "my-site", starter: "blog", languages: "fr" }],
  ])("with %j given, %j is answered", async (given, lines, expected) => {
    const { io, shown } = terminal(lines);
    expect(await askForMissing(io, given)).toEqual(expected);
    expect(shown().includes("articles with pictures")).toBe(given.starter === undefined);
  });

  it("refuse a starter that does not exist as soon as it is named", async () => {
    const { io, shown } = terminal(["shop", "blogg"]);
    await expect(askForMissing(io, {})).rejects.toThrow(
      'There is no starter "blogg": take lighthouse, business, blog.',
    );
    expect(shown()).not.toContain("Languages");
  });

  it.each([
    [["--starter", "wrong"], 'There is no starter "wrong": take lighthouse, business, blog.'],
    [["--languages", "english!"], '"english!" is no language code such as en or pt-BR.'],
  ])("are not asked with %j", async (flags, message) => {
    const { io, shown } = terminal(["site", "blog", "en"]);
    const program = new Command();
    registerInit(program, io);
    await program.parseAsync(["node", "cms", "init", ...flags]);
    expect(shown()).toBe(`error: ${message}\n`);
  });

  it("can be broken off", async () => {
    const { io } = terminal(["\u0003"]);
    await expect(askForMissing(io, {})).rejects.toThrow("Broken off: nothing was written.");
  });
});
