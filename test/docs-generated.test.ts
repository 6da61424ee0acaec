/**
 * Parts of the documentation that are made from tables of the program, between `<!-- name -->` and `<!-- end -->`.
 *
 * `npx vitest run test/docs-generated.test.ts --update` writes them.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { examplesOf } from "../src/cli/examples.ts";
import { commandsOf, createProgram, type NamedCommand } from "../src/cli/program.ts";
import { SETTINGS, type Setting } from "../src/config.ts";

const DOCS = fileURLToPath(new URL("../docs/", import.meta.url));

const cell = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `|${row.map((each) => ` ${each} `).join("|")}|\n`).join("");

/** Flags that every command on a site has; the beginning of the page describes them. */
const COMMON = ["--root", "--quiet"];

function commandText({ command, name }: NamedCommand): string {
  const flags = command.options.filter(({ long }) => !COMMON.includes(long!));
  const rows = flags.map(({ flags: form, description, defaultValue }) => {
    const shown =
      defaultValue === undefined || typeof defaultValue === "boolean" ? "" : ` (default: \`${defaultValue}\`)`;
    return [`\`${cell(form)}\``, cell(description) + shown];
  });
  const examples = examplesOf(name);
  const width = Math.max(0, ...examples.map(([line]) => line.length));
  return [
    `## cms ${name}\n\n\`cms ${name} ${command.usage()}\`: ${command.description()}.\n\n`,
    rows.length > 0 ? `${table(["Flag", "Does"], rows)}\n` : "",
    `\`\`\`\n${examples.map(([line, what]) => `${line.padEnd(width)}  # ${what}\n`).join("")}\`\`\`\n`,
  ].join("");
}

const LONGEST = 100;
const CONTENT_SECURITY_POLICY = "CONTENT_SECURITY_POLICY";

function settingRow({ path, fallback, help }: Setting): readonly string[] {
  const json = JSON.stringify(fallback);
  const isShown = json.length <= LONGEST || path === CONTENT_SECURITY_POLICY;
  const shown = isShown ? json : `${(fallback as readonly unknown[]).length} entries`;
  return [`\`${path}\``, `\`${shown}\``, cell(help)];
}

const PARTS: Readonly<Record<string, readonly [name: string, text: () => string]>> = {
  "commands.md": ["commands", () => commandsOf(createProgram()).map(commandText).join("\n")],
  "settings.md": ["settings", () => table(["Setting", "Default", "Meaning"], SETTINGS.map(settingRow))],
};

it.each(Object.entries(PARTS))("docs/%s is what the program has", async (file, [name, made]) => {
  const text = readFileSync(DOCS + file, "utf8");
  const [, before, after] = new RegExp(`^([^]*<!-- ${name} -->\n)[^]*?(<!-- end -->\n[^]*)$`).exec(text) ?? [];
  expect(before).toBeDefined();
  await expect(`${before}\n${made()}\n${after}`).toMatchFileSnapshot(DOCS + file);
});
