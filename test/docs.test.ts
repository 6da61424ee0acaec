/** The documentation is complete, its links lead somewhere, and its code blocks are what they say. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { commandsOf, createProgram } from "../src/cli/program.ts";
import { loadConfig, SETTINGS } from "../src/config.ts";
import { VARIABLES } from "../src/render/template-hints.ts";
import { KIND_NAMES } from "../src/model/fields/definition.ts";
import { anchorsOf, codeBlocksOf, linksOf } from "./support/markdown.ts";
import { temporaryFolder } from "./site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const PAGES = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const TEXTS = ["README.md", ...PAGES.map((name) => `docs/${name}`)];

describe("is complete", () => {
  it.each(PAGES.filter((name) => name !== "README.md"))("docs/README.md leads to %s", (name) => {
    expect(text("docs/README.md")).toContain(`](${name})`);
  });
  it.each(commandsOf(createProgram()).map(({ name }) => name))("command %s", (name) => {
    expect(text("docs/commands.md")).toContain(`\n## cms ${name}\n`);
  });
  it.each(SETTINGS.map(({ path }) => path))("setting %s", (path) => {
    expect(text("docs/settings.md")).toContain(`\n| \`${path}\` |`);
  });
  it.each(VARIABLES)("template variable %s", (name) => expect(text("docs/templates.md")).toContain(`| \`${name}\` |`));
  it.each(KIND_NAMES)("field kind %s", (name) => expect(text("docs/content.md")).toContain(`\`${name}\``));
});

describe.each(TEXTS)("%s", (path) => {
  it("has links that lead somewhere", () => {
    for (const link of linksOf(text(path)).filter((each) => !/^[a-z]+:/.test(each))) {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : normalize(join(dirname(path), file));
      expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
      if (anchor !== undefined) expect([link, anchorsOf(text(target)).includes(anchor)]).toEqual([link, true]);
    }
  });

  it("has YAML and JSON that parse", () => {
    for (const { language, code } of codeBlocksOf(text(path))) {
      if (language === "yaml") expect(() => loadAll(code)).not.toThrow();
      if (language === "json") expect(() => void JSON.parse(code)).not.toThrow();
    }
  });

  it("names commands and flags that exist", () => {
    const commands = commandsOf(createProgram());
    for (const line of codeBlocksOf(text(path)).flatMap(({ code }) => code.split(/\n|&&|\|\||;/))) {
      const [, words = ""] =
        /(?:^|[\s;&|]|bin\/)cms((?: [a-z-]+)(?: .*)?)$/.exec(line.replace(/#.*/, "").trimEnd()) ?? [];
      if (!/^ [a-z][a-z-]*(?: |$)/.test(words) || /compose/.test(line)) continue;
      const command = commands.find(({ name }) => `${words} `.startsWith(` ${name} `));
      expect([line, command?.name]).toEqual([line, expect.any(String)]);
      const flags = [...words.matchAll(/(?<= )--[a-z-]*[a-z](?=[ =]|$)/g)].map(([flag]) => flag);
      expect(command!.command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    }
  });
});

it("docs/settings.md has variables that are valid together", async () => {
  const root = await temporaryFolder();
  writeFileSync(join(root, "cms.config.yaml"), "");
  const [block] = codeBlocksOf(text("docs/settings.md")).filter(({ language }) => language === "sh");
  const lines = block!.code.trim().split("\n");
  const environment = Object.fromEntries(lines.map((line) => /^(\w+)='?(.*?)'?$/.exec(line)!.slice(1)));
  const config = await loadConfig(root, environment);
  expect([config.BASE_URL, config.mediaOrigin, config.ALLOWED_HOSTS]).toEqual([
    "https://www.example.org",
    "https://cdn.example.org",
    ["www.example.org", ".example.com"],
  ]);
});
