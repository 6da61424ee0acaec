/** What templates import is evaluated for each page (DECISIONS.md, Packages), and counts as used by it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTemplates, renderTemplate, type Templates } from "../../src/render/templates.ts";

let root: string;
let evaluations: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cms-imports-"));
  mkdirSync(join(root, "templates"));
  evaluations = 0;
});
afterEach(() => rmSync(root, { recursive: true }));

function open(files: { readonly [name: string]: string }): Templates {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "templates", name), text);
  return openTemplates(root, (environment) => environment.addGlobal("evaluated", () => void evaluations++));
}

const FILES = {
  "page.html":
    '{% from "words.html" import words %}{% from "macros.html" import greet %}{{ greet(name) }} {{ words.bye }}',
  "words.html": '{{ evaluated() }}{% from "deep.html" import mark %}{% set words = { bye: "bye" + mark } %}',
  "macros.html":
    '{{ evaluated() }}{% from "deep.html" import mark %}{% macro greet(name) %}hello {{ name }}{{ mark }}{% include "tail.html" %}{% endmacro %}',
  "deep.html": '{% set mark = "!" %}',
  "tail.html": ",",
};

it("evaluates an import for each page, as nunjucks does", () => {
  const { environment } = open(FILES);
  expect(["Ada", "Bo"].map((name) => renderTemplate(environment, "page.html", { name }))).toEqual([
    "hello Ada!, bye!",
    "hello Bo!, bye!",
  ]);
  expect(evaluations).toBe(4); // two files, two pages
});

it("reports all templates behind an import, for every page", () => {
  const templates = open(FILES);
  const used = ["Ada", "Bo"].map((name) => {
    const names = new Set<string>();
    templates.onUse((each) => names.add(each));
    renderTemplate(templates.environment, "page.html", { name });
    return [...names].sort();
  });
  expect(used[0]).toEqual(["deep.html", "macros.html", "page.html", "tail.html", "words.html"]);
  expect(used[1]).toEqual(used[0]);
});

it("evaluates an import with context for each page", () => {
  const { environment } = open({
    "page.html": '{% from "words.html" import word with context %}{{ word }}',
    "words.html": "{{ evaluated() }}{% set word = name %}",
  });
  expect(["Ada", "Bo"].map((name) => renderTemplate(environment, "page.html", { name }))).toEqual(["Ada", "Bo"]);
  expect(evaluations).toBe(2);
});

it("evaluates again after a template changed", () => {
  const templates = open(FILES);
  renderTemplate(templates.environment, "page.html", { name: "Ada" });
  writeFileSync(join(root, "templates/deep.html"), '{% set mark = "?" %}');
  templates.reset();
  expect(renderTemplate(templates.environment, "page.html", { name: "Bo" })).toBe("hello Bo?, bye?");
});

/** Whatever a page does with what it imports, the next page gets what the first one got. */
// oxfmt-ignore
it.each<[string, Record<string, string>, string]>([
  ["a list that it changes",        { "page.html": '{% from "words.html" import list %}{{ list.push(name) }}{{ list | join }}', "words.html": '{% set list = ["a"] %}' }, "2ab"],
  ["a dictionary in a dictionary",  { "page.html": '{% from "words.html" import words %}{{ words.a.list.push(1) }}', "words.html": "{% set words = { a: { list: [] } } %}" }, "1"],
  ["a joiner",                      { "page.html": '{% from "words.html" import tag %}{{ tag("x") }}{{ tag("y") }}', "words.html": '{% set comma = joiner(", ") %}{% macro tag(t) %}{{ comma() }}{{ t }}{% endmacro %}' }, "x, y"],
  ["a cycler",                      { "page.html": '{% from "words.html" import row %}{{ row.next() }}', "words.html": '{% set row = cycler("odd", "even") %}' }, "odd"],
  ["a list behind a macro",         { "page.html": '{% from "words.html" import id %}{{ id() }}', "words.html": "{% set _ids = [] %}{% macro id() %}{{ _ids.push(1) }}{% endmacro %}" }, "1"],
  ["a list behind another import",  { "page.html": '{% from "words.html" import id %}{{ id() }}', "words.html": '{% from "deep.html" import list %}{% macro id() %}{{ list.push(1) }}{% endmacro %}', "deep.html": "{% set list = [] %}" }, "1"],
  ["a whole file under a name",     { "page.html": '{% import "words.html" as w %}{{ w.list.push(1) }}', "words.html": "{% set list = [] %}" }, "1"],
])("gives each page %s anew", (_what, files, text) => {
  const { environment } = open(files);
  for (let n = 0; n < 3; n++) expect(renderTemplate(environment, "page.html", { name: "b" })).toBe(text);
});

it("fails each time an import does", () => {
  const { environment } = open({
    "page.html": '{% from "words.html" import word %}{{ word }}',
    "words.html": "{% set word = nothing.here() %}",
  });
  for (const name of ["Ada", "Bo"])
    expect(() => renderTemplate(environment, "page.html", { name })).toThrow(/Unable to call `nothing/);
});

it.each<[string, { readonly [name: string]: string }, readonly string[]]>([
  [
    "a macro that another file's memory stands behind",
    {
      "page.html": '{% import "a.html" as a %}{{ a.item(1) }}{{ a.item(2) }}',
      "a.html": '{% from "b.html" import separator %}{% macro item(x) %}{{ separator() }}{{ x }}{% endmacro %}',
      "b.html": "{% set next = joiner() %}{% macro separator() %}{{ next() }}{% endmacro %}",
    },
    ["1,2", "1,2"],
  ],
  [
    "a macro that imports something of the page",
    {
      "page.html": '{% import "a.html" as a %}{% if name == "Ada" %}{{ a.one(name) }}{% endif %}[{{ a.two() }}]',
      "a.html":
        '{% macro one(x) %}{% import "who.html" as w with context %}{% endmacro %}{% macro two() %}{{ w.seen }}{% endmacro %}',
      "who.html": "{% set seen = x %}",
    },
    ["[Ada]", "[]"],
  ],
  [
    "such a macro by way of another file",
    {
      "page.html": '{% import "b.html" as b %}{% if name == "Ada" %}{{ b.first(name) }}{% endif %}[{{ b.second() }}]',
      "b.html":
        '{% from "a.html" import one, two %}{% macro first(x) %}{{ one(x) }}{% endmacro %}{% macro second() %}{{ two() }}{% endmacro %}',
      "a.html":
        '{% macro one(x) %}{% import "who.html" as w with context %}{% endmacro %}{% macro two() %}{{ w.seen }}{% endmacro %}',
      "who.html": "{% set seen = x %}",
    },
    ["[Ada]", "[]"],
  ],
  [
    "a list by two names",
    {
      "page.html": '{% import "d.html" as d %}{% set z = d.a.push(2) %}{{ d.b }}',
      "d.html": "{% set a = [1] %}{% set b = a %}",
    },
    ["1,2", "1,2"],
  ],
  [
    "a list within itself",
    {
      "page.html": '{% import "d.html" as d %}{{ d.a.length }}{% set z = d.a.push(2) %}',
      "d.html": "{% set a = [1] %}{% set z = a.push(a) %}",
    },
    ["2", "2"],
  ],
  [
    "what a pattern has found",
    {
      "page.html": '{% import "d.html" as d %}{{ d.m.index }}',
      "d.html": '{% set m = "abc".match(r/b/) %}',
    },
    ["1", "1"],
  ],
  [
    "what a loop writes on",
    {
      "page.html": '{% import "d.html" as d %}{{ d.index }}{% for loop in [d] %}{% endfor %}',
      "d.html": "{% macro m() %}{% endmacro %}",
    },
    ["", ""],
  ],
])("gives the second page the same as the first: %s", (_what, files, expected) => {
  const { environment } = open(files);
  expect(["Ada", "Bo"].map((name) => renderTemplate(environment, "page.html", { name }))).toEqual(expected);
});
