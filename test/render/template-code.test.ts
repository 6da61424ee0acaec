/** A template that was compiled once is not compiled again, and what is kept of it is what it was compiled to. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nunjucks from "nunjucks";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { addHelpers } from "../../src/render/helpers.ts";
import { openTemplates, renderTemplate } from "../../src/render/templates.ts";
import { openCodeCache } from "../../src/store/code-cache.ts";
import { saveFile } from "../build/build-site.ts";

const { parser } = nunjucks as unknown as { parser: { parse(text: string, ...rest: unknown[]): object } };
const TEXTS = {
  "base.html": "<title>{{ title }}</title>{% block main %}{% endblock %}",
  "page.html": '{% extends "base.html" %}{% import "macros.html" as m %}{% block main %}{{ m.say(title) }}{% include "part.html" %}{% endblock %}',
  "macros.html": "{% macro say(what) %}<b>{{ what }}</b>{% endmacro %}",
  "part.html": "{% for each in list %}{{ loop.index }}{{ each | upper }}{% endfor %}{{ ''.constructor }}",
};

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cms-templates-"));
  dir = mkdtempSync(join(tmpdir(), "cms-code-"));
  onTestFinished(() => [root, dir].forEach((each) => rmSync(each, { recursive: true })));
  for (const [name, text] of Object.entries(TEXTS)) saveFile(root, `templates/${name}`, text);
});

/** Renders in a start of its own. @returns what came out, or what was said, and the templates that were compiled for it */
async function render(name = "page.html", kept = true): Promise<{ readonly text: string; readonly compiled: readonly unknown[] }> {
  const parse = vi.spyOn(parser, "parse");
  try {
    const code = openCodeCache(dir);
    const { environment } = openTemplates(root, addHelpers, null, kept ? code : undefined);
    let text: string;
    try {
      text = renderTemplate(environment, name, { title: "<T>", list: ["a", "b"] });
    } catch (error) {
      text = (error as Error).message;
    }
    await code.save();
    return { text, compiled: parse.mock.calls.map(([text]) => nameOf(text)).sort() };
  } finally {
    parse.mockRestore();
  }
}

const nameOf = (text: string): string => Object.keys(TEXTS).find((name) => readFileSync(join(root, "templates", name), "utf8") === text)!;

it("renders the same from what was compiled before, without compiling", async () => {
  const { text } = await render("page.html", false);
  expect(text).toBe("<title>&lt;T&gt;</title><b>&lt;T&gt;</b>1A2B");
  expect(await render()).toEqual({ text, compiled: Object.keys(TEXTS).sort() });
  expect(await render()).toEqual({ text, compiled: [] });
});

it("compiles what has changed, and nothing else", async () => {
  await render();
  saveFile(root, "templates/part.html", "{{ title }}");
  expect(await render()).toEqual({ text: "<title>&lt;T&gt;</title><b>&lt;T&gt;</b>&lt;T&gt;", compiled: ["part.html"] });
});

it.each([
  ["does not compile", "a\n{% for %}"],
  ["fails", "a\n{{ nothing.at.all() }}"],
])("says the same, again and again, of a template that %s", async (_what, text) => {
  saveFile(root, "templates/wrong.html", text);
  const said = (await render("wrong.html", false)).text;
  expect(said).toMatch(/wrong\.html.*Line \d/);
  for (let start = 0; start < 3; start++) expect((await render("wrong.html")).text).toBe(said);
});

it("compiles again where what was kept cannot be read", async () => {
  const { text } = await render();
  const file = join(dir, readdirSync(dir)[0]!);
  for (const damaged of [readFileSync(file, "utf8").slice(0, -9), "", '{"version":0,"texts":[["a","b"]]}']) {
    writeFileSync(file, damaged);
    expect(await render()).toEqual({ text, compiled: Object.keys(TEXTS).sort() });
  }
});

it("lets go of what nobody asks for once there is much of it", async () => {
  const many = openCodeCache(dir);
  for (let n = 0; n < 600; n++) many.set(`old ${n}`, "x");
  await many.save();
  const next = openCodeCache(dir);
  next.get("old 7");
  next.set("new", "y");
  await next.save();
  const last = openCodeCache(dir);
  expect(["old 7", "new", "old 8"].map((key) => last.get(key))).toEqual(["x", "y", undefined]);
});
