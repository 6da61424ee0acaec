/** What `cms check` finds in templates before any page is rendered. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProblem } from "../../src/model/text/problem.ts";
import { helpersWith } from "../../src/render/helpers/helpers.ts";
import { templateProblems } from "../../src/render/check/template-check.ts";
import { openTemplates } from "../../src/render/templates.ts";
import { emptyDir } from "../static-site/build-site.ts";

function problemsOf(files: Readonly<Record<string, string>>, hasOtherFunctions = false): string[] {
  const root = emptyDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, "templates", name)), { recursive: true });
    writeFileSync(join(root, "templates", name), text);
  }
  return templateProblems(openTemplates(root, helpersWith(undefined)), hasOtherFunctions, {
    types: ["opening"],
    menus: ["main"],
    page: ["title", "description"],
    models: ["page", "room"],
    paths: ["/", "/about", "/it/about"],
    blocks: new Map([["blocks/hero.html", ["heading", "lead"]]]),
  }).map(showProblem);
}

const FINE = {
  "base.html": "{% block a %}{% endblock %}{% set comma = joiner() %}",
  "m.html": "{% macro card(x) %}{{ caller() }}{% endmacro %}",
  "p.txt": "{{ 1 }}",
  "mid.html": '{% extends "base.html" %}{% block a %}{% block inner %}{% endblock %}{% endblock %}',
  "any.html": "{% extends page.layout %}",
};

// oxfmt-ignore
const WRONG: [string, string, string][] = [
  ["a missing include",    '\n {% include "q.html" %}',                    "templates/x.html:2:5: There is no file `templates/q.html`."],
  ["a missing parent",     '{% extends "bsae.html" %}',                    "templates/x.html:1:4: There is no file `templates/bsae.html`. Did you mean `base.html`?"],
  ["a missing import",     '{% import "n.html" as n %}',                   "templates/x.html:1:4: There is no file `templates/n.html`."],
  ["an unknown filter",    "{{ page.title | markdwon }}",                  "templates/x.html:1:17: There is no filter `markdwon`. Did you mean `markdown`?"],
  ["an unknown function",  '{{ menu("main") }}',                           "templates/x.html:1:8: There is no function `menu`. `menus` is a variable"],
  ["a loop's variable",    "{% for menu in menus %}{{ menu() }}{% endfor %}", "There is no function `menu`."],
  ["an unknown test",      "{% if page is old %}{% endif %}",              "There is no test `old`."],
  ["no path of a field",   '<h1{{ cms_field("a b") }}>',                   'templates/x.html:1:16: cms_field: "a b" is no path of a field'],
  ["an unknown field",     '<h1{{ cms_field("titel") }}>',                 "warning: cms_field: pages have no field `titel`. Did you mean `title`?"],
  ["data without its field", '<p{{ cms_field("lead.0") }}>',               "Did you mean `template_data.lead.0`?"],
  ["an unknown page model", '{{ pages(model="rom") }}',                   "warning: There is no page model `rom`. Did you mean `room`?"],
  ["an unknown page model in a mapping", '{{ pages({ model: "rom" }) }}',  "warning: There is no page model `rom`. Did you mean `room`?"],
  ["an unknown page",      '{{ page_at("/abuot/") }}',                    "warning: There is no page at `/abuot`. Did you mean `/about`?"],
  ["an unknown list",      '{{ group_link("/abuot/", 7) }}',               "warning: There is no page at `/abuot`. Did you mean `/about`?"],
  ["an unknown page above", '{{ pages(below="/nowhere") }}',              "warning: There is no page at `/nowhere`."],
  ["an unknown meta type", '{{ instances("opnening") }}',                 "warning: There is no meta type `opnening`. Did you mean `opening`?"],
  ["the same for one",     '{{ instance("opnening", "week") }}',           "There is no meta type `opnening`."],
  ["an unknown menu",      '{{ render_menu("mian", "x.html") }}',          "warning: There is no menu `mian`. Did you mean `main`?"],
  ["one of several menus", '{{ get_menus("main", "mainn") }}',              "There is no menu `mainn`."],
  ["a mistyped property", "a{{ page.titel }}",                            "templates/x.html:1:9: warning: Pages have no `titel`. Did you mean `title`?"],
  ["the same in brackets", '{% if page["descripton"] %}{% endif %}',      "Pages have no `descripton`. Did you mean `description`?"],
  ["a block of no parent", '{% extends "base.html" %}{% block b %}{% endblock %}', "templates/x.html:1:29: warning: No parent has a block `b`: it is shown nowhere. Did you mean `a`?"],
  ["the same for a grandparent", '{% extends "mid.html" %}{% block c %}{% block d %}{% endblock %}{% endblock %}', "No parent has a block `c`"],
  ["an unclosed tag",      "a\n{% if a %}b",                               "templates/x.html:2:"],
  ["a broken expression",  "{{ a b }}",                                    "templates/x.html:1:"],
];

describe("templates", () => {
  it.each(WRONG)("with %s are reported", (_what, text, problem) =>
    expect(problemsOf({ ...FINE, "x.html": text })).toEqual([expect.stringContaining(problem)]),
  );

  it.each([
    ["a parent, a block and super()", '{% extends "base.html" %}{% block a %}{{ super() }}{% endblock %}'],
    ["a macro", '{% from "m.html" import card as c %}{% call c(1) %}x{% endcall %}'],
    ["a namespace of macros", '{% import "m.html" as m %}{{ m.card(1) }}'],
    ["a function in a variable of the parent", "{{ comma() }}"],
    ["fields", '{{ cms_field("title") }}{{ cms_field("template_data.beds.0.kind") }}{{ cms_field(path) }}'],
    ["an optional include", '{% include "q.html" ignore missing %}'],
    [
      "keys of records",
      '{{ instances("opening") }}{{ render_menu("main") }}{{ render_menu("footer") }}{{ instances(page.kind) }}' +
        '{{ page_at("/") }}{{ page_at("/it/about/") }}{{ page_at(path) }}{{ pages({ model: "room", below: "/about/" }) }}{{ pages() }}',
    ],
    ["properties", "{{ page.title }}{{ page.year }}{{ page[key] }}{{ item.titel }}"],
    ["another page", "{% for page in articles() %}{{ page.titel }}{% endfor %}"],
    ["a page in a macro", "{% macro m(page) %}{{ page.titel }}{% endmacro %}"],
    [
      "blocks of parents",
      '{% extends "mid.html" %}{% block a %}{% block own %}{% endblock %}{% endblock %}{% block inner %}{% endblock %}',
    ],
    ["a parent that is only known later", '{% extends "any.html" %}{% block b %}{% endblock %}'],
    ["a name that is only known later", "{% include page.template %}"],
    ["functions, filters and tests", '{{ articles() | length }}{{ "x" | markdown }}{% if 1 is odd %}{% endif %}'],
  ])("with %s are fine", (_what, text) => expect(problemsOf({ ...FINE, "x.html": text })).toEqual([]));

  it("of blocks mark the fields of the block, and parts that they include also those of pages", () => {
    const part = '{{ cms_field("heading") }}{{ cms_field("title") }}{{ cms_field("headign") }}';
    const hero = '{{ cms_field("lead") }}{{ cms_field("title") }}{{ cms_field("laed.0") }}{% include "part.html" %}';
    expect(problemsOf({ "blocks/hero.html": hero, "part.html": part }).sort()).toEqual([
      "templates/blocks/hero.html:1:36: warning: cms_field: the block has no field `title`.",
      "templates/blocks/hero.html:1:60: warning: cms_field: the block has no field `laed`. Did you mean `lead`?",
      "templates/part.html:1:63: warning: cms_field: the block has no field `headign`. Did you mean `heading`?",
    ]);
  });

  it("may use functions that modules of the site add", () =>
    expect(problemsOf({ "x.html": "{{ own() }}" }, true)).toEqual([]));

  it("that are no templates are left alone", () => expect(problemsOf({ "style.css": "a { } {% if %}" })).toEqual([]));
});
