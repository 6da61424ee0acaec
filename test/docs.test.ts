/** The documentation is complete. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../src/config.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const text = (path: string): string => readFileSync(`${ROOT}/${path}`, "utf8");

describe("docs/settings.md", () => {
  it.each(SETTINGS.map((setting) => [setting.path, setting.help] as const))("has %s with its help", (path, help) => {
    expect(text("docs/settings.md")).toMatch(new RegExp(`^\\| \`${path.replaceAll(".", "\\.")}\` \\|.*`, "m"));
    expect(text("docs/settings.md")).toContain(help);
  });
});

describe("README.md", () => {
  const main = text("src/cli/main.ts");
  const commands = [...main.matchAll(/^import \{ (register\w+) \} from "(.+)";$/gm)];

  it("has every command, and every one is registered", async () => {
    expect(commands.length).toBeGreaterThan(5);
    for (const [, register, file] of commands) {
      const program = new Command();
      const module = (await import(/* @vite-ignore */ new URL(`../src/cli/${file}`, import.meta.url).href)) as Record<
        string,
        (program: Command) => void
      >;
      module[register!]!(program);
      for (const command of program.commands) {
        expect(text("README.md")).toContain(`cms ${command.name()}`);
        expect(command.description() || command.commands.map((each) => each.description()).join("")).not.toBe("");
      }
      expect(main.split(register!)).toHaveLength(3);
    }
  });

  it.each(readdirSync(`${ROOT}/docs`).filter((name) => name.endsWith(".md")))("leads to docs/%s", (name) => {
    expect(text("README.md")).toContain(`docs/${name}`);
  });
});
