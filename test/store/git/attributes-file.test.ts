/** Attributes and ends of lines as we read them, against what git itself says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attributesOf, parseAttributes, rulesFor } from "../../../src/store/git/attributes/attributes-file.ts";
import {
  eolOf,
  isAuto,
  isStoredWithCrlf,
  toStored,
  toWorking,
  type EolConfig,
} from "../../../src/store/git/attributes/eol.ts";
import { oidOf } from "../../../src/store/git/objects/object.ts";
import { gitBytes } from "../../support/run-git.ts";
import { GIT_ENV, gitSite, type GitSite } from "./git-site.ts";

const NAMES = ["text", "eol", "filter", "ident"];
const bytewise = (text: string): string => Buffer.from(text).toString("latin1");

let site: GitSite;
beforeAll(() => {
  site = gitSite();
});
afterAll(() => site.remove());

const run = (args: readonly string[], input: string | Uint8Array): Buffer =>
  gitBytes(args, { cwd: site.dir, env: GIT_ENV, input });

function gitSays(paths: readonly string[]): Map<string, Record<string, string>> {
  const said = new Map<string, Record<string, string>>(paths.map((path) => [path, {}]));
  const fields = run(["check-attr", "--stdin", "-z", ...NAMES], paths.map((path) => `${path}\0`).join(""))
    .toString()
    .split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    if (fields[at + 2] !== "unspecified") said.get(fields[at]!)![fields[at + 1]!] = fields[at + 2]!;
  }
  return said;
}

function weSay(
  files: readonly (readonly [folder: string, text: string])[],
  paths: readonly string[],
): Map<string, Record<string, string>> {
  const parsed = files.map(([folder, text]) => ({
    folder,
    file: parseAttributes(bytewise(text), { folder: bytewise(folder), macros: folder === "" }),
  }));
  const word = (value: unknown): string =>
    value === true ? "set" : value === false ? "unset" : Buffer.from(String(value), "latin1").toString();
  return new Map(
    paths.map((path) => {
      const found = attributesOf(
        bytewise(path),
        rulesFor(
          NAMES,
          parsed.map(({ file }) => file),
        ),
        NAMES,
      );
      return [path, Object.fromEntries([...found].map(([name, value]) => [name, word(value)]))];
    }),
  );
}

const PATHS = [
  "a.yaml",
  "A.YAML",
  "content/a.yaml",
  "content/pages/a.yaml",
  "content/pages/é.md",
  "content/b c.txt",
  "content/[x].txt",
  "media/photo.jpg",
  "media/2024/photo.JPG",
  "media/a-b_c.png",
  "media/deep/er/still/x.bin",
  "*.yaml",
  "a\\b",
  "content/a]b",
  "media/-",
  "xay",
];

describe("attributes", () => {
  it.each([
    ["nothing", ""],
    ["a name", "*.yaml text eol=crlf\n"],
    ["CRLF at the ends of its lines, and a mark at its beginning", "\uFEFF*.yaml text\r\n*.jpg filter=lfs\r\n"],
    ["the last line wins", "* text=auto\n*.jpg -text\n*.yaml !text\n"],
    ["a folder", "content/ text\ncontent/* text\n/content/a.yaml ident\nmedia/** filter=lfs\n"],
    [
      "stars",
      "**/a.yaml text\ncontent/**/a.yaml eol=lf\nmedia/**/x.bin ident\nmedia/*/photo.* filter=x\n*** eol=crlf\nco**nt/a.yaml ident\n",
    ],
    [
      "sets",
      "[ab].yaml text\n[!a].yaml ident\n*.[jJ][pP][gG] filter=lfs\nx[[:alpha:]]y eol=lf\nmedia/a[-]b[_]c.png text\ncontent/a[]]b ident\n[z-a]* text\n[*].yaml eol=crlf\n",
    ],
    ["question marks", "?.yaml text\ncontent/pages/?.md ident\ncontent/pages/??.md eol=lf\n"],
    [
      "quotes and escapes",
      '"content/b c.txt" text\n"content/pages/\\303\\251.md" ident\na\\\\b eol=lf\n\\*.yaml filter=x\ncontent/\\[x\\].txt text\n',
    ],
    ["macros", "[attr]picture filter=lfs -text\n*.jpg picture\n*.png binary\n*.bin -picture\n[attr]binary text\n"],
    [
      "comments, negative patterns and bad names",
      "# *.yaml text\n!*.yaml text\n*.yaml te/xt eol=lf\n*.jpg -\n  *.png text\n",
    ],
    ["a line that is too long", `*.yaml text ${"x ".repeat(1100)}\n*.jpg text\n`],
  ])("%s", (_what, text) => {
    writeFileSync(join(site.dir, ".gitattributes"), text);
    expect(weSay([["", text]], PATHS)).toEqual(gitSays(PATHS));
  });

  it("of folders, the nearer one over the farther", () => {
    const files: [string, string][] = [
      ["", "[attr]m text\n* text=auto\n*.yaml eol=lf\n/pages/a.yaml ident\n"],
      ["content", "*.yaml !eol\n/pages/a.yaml filter=crypt\n[attr]no filter=no\n*.txt no m\n"],
      ["content/pages", "a.yaml -text\n"],
    ];
    for (const [folder, text] of files) {
      mkdirSync(join(site.dir, folder), { recursive: true });
      writeFileSync(join(site.dir, folder, ".gitattributes"), text);
    }
    expect(weSay(files, PATHS)).toEqual(gitSays(PATHS));
    for (const [folder] of files) writeFileSync(join(site.dir, folder, ".gitattributes"), "");
  });

  it("any patterns", () => {
    const piece = fc.constantFrom(
      "*",
      "**",
      "/",
      "a",
      "b",
      "?",
      "[ab]",
      "[!a]",
      "[a-c]",
      ".",
      "**/",
      "/**",
      "\\",
      "[",
      "]",
      "-",
      "content",
      "yaml",
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    const segment = fc
      .array(fc.constantFrom("a", "b", ".", "content", "yaml", "-", "]"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(""));
    const path = fc
      .array(
        segment.filter((name) => !/^\.+$/.test(name)),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 5, maxLength: 40 }),
        fc.uniqueArray(path, { minLength: 5, maxLength: 40 }),
        (patterns, paths) => {
          const text = patterns.map((each, at) => `${each} filter=f${at}\n`).join("");
          writeFileSync(join(site.dir, ".gitattributes"), text);
          expect(weSay([["", text]], paths)).toEqual(gitSays(paths));
        },
      ),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe("ends of lines", () => {
  const TEXTS = [
    "",
    "a\nb\n",
    "a\r\nb\r\n",
    "a\r\nb\n",
    "a\rb\r\n",
    "a\0b\r\n",
    "a\0b\n",
    "\x01\x02\r\n",
    "a\x1a",
    "é\r\n\r\r\n",
  ];
  const ATTRIBUTES = [
    "",
    "text",
    "-text",
    "text=auto",
    "text=auto eol=crlf",
    "text=auto eol=lf",
    "eol=crlf",
    "eol=lf",
    "text eol=crlf",
    "crlf",
    "-crlf",
    "crlf=input",
    "text=input",
  ];
  const CONFIGS: EolConfig[] = [
    { autocrlf: "false", eol: "native" },
    { autocrlf: "true", eol: "native" },
    { autocrlf: "input", eol: "native" },
    { autocrlf: "false", eol: "crlf" },
  ];

  it.each(CONFIGS)("autocrlf $autocrlf, eol $eol: stored and checked out as git does", (config) => {
    site.git("config", "core.autocrlf", config.autocrlf);
    site.git("config", "core.eol", config.eol);
    const cases = ATTRIBUTES.flatMap((attributes, a) =>
      TEXTS.map((text, t) => ({ name: `f${a}-${t}`, attributes, text })),
    );
    writeFileSync(
      join(site.dir, ".gitattributes"),
      ATTRIBUTES.map((attributes, a) => `f${a}-* ${attributes}\n`).join(""),
    );
    for (const { name, text } of cases) writeFileSync(join(site.dir, name), text);
    site.git("-c", "core.safecrlf=false", "add", ...cases.map(({ name }) => name));
    const stored = new Map(
      site
        .git("ls-files", "--stage")
        .trim()
        .split("\n")
        .map((line) => [line.split("\t")[1]!, line.split(" ")[1]!]),
    );
    const rules = ATTRIBUTES.map((attributes) =>
      attributesOf("f", [parseAttributes(`f ${attributes}\n`)], ["text", "crlf", "eol"]),
    );
    const wrong: string[] = [];
    for (const [at, { name, attributes, text }] of cases.entries()) {
      const eol = eolOf(rules[Math.floor(at / TEXTS.length)]!, config, false);
      const bytes = toStored(Buffer.from(text), eol, false);
      if (oidOf("blob", bytes) !== stored.get(name))
        wrong.push(`${attributes}: ${JSON.stringify(text)} is stored as other bytes`);
    }
    // Raw blobs, then a checkout of them.
    for (const { name, text } of cases) {
      const oid = run(["hash-object", "-w", "--stdin", "--no-filters"], text).toString().trim();
      run(["update-index", "--add", "--cacheinfo", `100644,${oid},${name}`], "");
    }
    site.git("checkout-index", "--all", "--force");
    for (const [at, { name, attributes, text }] of cases.entries()) {
      const eol = eolOf(rules[Math.floor(at / TEXTS.length)]!, config, false);
      const working = Buffer.from(toWorking(Buffer.from(text), eol)).toString();
      if (working !== site.text(name)) wrong.push(`${attributes}: ${JSON.stringify(text)} is checked out otherwise`);
    }
    // Added again on top of what is stored raw: `auto` leaves CRLF that is stored.
    for (const { name, text } of cases) writeFileSync(join(site.dir, name), `${text}more\r\n`);
    site.git("-c", "core.safecrlf=false", "add", ...cases.map(({ name }) => name));
    const again = new Map(
      site
        .git("ls-files", "--stage")
        .trim()
        .split("\n")
        .map((line) => [line.split("\t")[1]!, line.split(" ")[1]!]),
    );
    for (const [at, { name, attributes, text }] of cases.entries()) {
      const eol = eolOf(rules[Math.floor(at / TEXTS.length)]!, config, false);
      const bytes = toStored(Buffer.from(`${text}more\r\n`), eol, isAuto(eol) && isStoredWithCrlf(Buffer.from(text)));
      if (oidOf("blob", bytes) !== again.get(name))
        wrong.push(`${attributes}: ${JSON.stringify(text)} and more is stored as other bytes`);
    }
    expect(wrong).toEqual([]);
    site.git("rm", "--quiet", "--cached", "--force", ...cases.map(({ name }) => name));
  });
});

it("matches a pattern of many stars in time that grows with its length alone", () => {
  const file = parseAttributes(`${"*a".repeat(100)}b text\n**/${"**/a/".repeat(50)}b text\n`);
  const asked = (path: string) => attributesOf(path, [file], ["text"]).size;
  expect(asked("a".repeat(250))).toBe(0);
  expect(asked(`${"a/".repeat(120)}c`)).toBe(0);
  expect(asked(`${"a".repeat(250)}b`)).toBe(1);
});

it.each([
  ["content/** merge=cms", 0],
  ["* text=auto", 1],
  ["* merge=cms -text", 1],
  ["*.png binary", 1],
  ["[attr]page merge=cms\n*.yaml page", 1], // a macro may set anything
  ["*.yaml page", 0],
])("%j has %i rules on which line endings may depend", (text, count) => {
  const [file] = rulesFor(["text", "eol"], [parseAttributes(text, { macros: true })]);
  expect(file?.rules).toHaveLength(count);
});
