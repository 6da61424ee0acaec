/** The documentation is complete. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandsOf, createProgram } from "../src/cli/program.ts";
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
  it.each(commandsOf(createProgram()).map(({ name }) => name.split(" ")[0]!))("has the command %s", (name) => {
    expect(text("README.md")).toContain(`cms ${name}`);
  });

  it.each(readdirSync(`${ROOT}/docs`).filter((name) => name.endsWith(".md")))("leads to docs/%s", (name) => {
    expect(text("README.md")).toContain(`docs/${name}`);
  });
});
