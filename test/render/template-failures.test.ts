/** A template that fails says in which file and line, however it was reached; and the log says for which address. */
import { describe, expect, it } from "vitest";
import { placeOfFailure } from "../../src/render/template-failure.ts";
import { openTemplates, renderTemplate } from "../../src/render/templates.ts";
import { emptyDir, saveFile } from "../static-site/build-site.ts";
import { memorySite } from "../site.ts";

/** Fails in its third line. */
const FAILS = "a\nb\n{{ nothing.at.all() }}\n";

interface Case {
  readonly [template: string]: string;
}

describe("the place of a failure", () => {
  // oxfmt-ignore
  it.each<[string, string, Case]>([
    ["in the page",                        "page:3", { page: FAILS }],
    ["in a filter's argument",             "page:4", { page: "a\n\n{{ title | sort(\n nothing.x()) }}\n" }],
    ["after an output of several lines",   "page:5", { page: "a\n{{ title\n}}\n{{ 1 }}\n{{ nothing.x() }}" }],
    ["in a condition",                     "page:2", { page: "a\n{% if nothing.x() %}\n{% endif %}" }],
    ["in an elif",                         "page:4", { page: "a\n{% if false %}\n\n{% elif nothing.x() %}\n{% endif %}" }],
    ["in the list of a loop",              "page:4", { page: "a\n{{ 1 }}\n\n{% for i in nothing.x() %}\n{% endfor %}" }],
    ["in a set",                           "page:4", { page: "a\n{{ 1 }}\n\n{% set i = nothing.x() %}\n" }],
    ["in a set block",                     "page:5", { page: `\n{% set a %}\n${FAILS}{% endset %}` }],
    ["in a function",                      "page:4", { page: "a\n{{ 1 }}\n\n{{ fail() }}\n" }],
    ["in a filter",                        "page:4", { page: "a\n{{ 1 }}\n\n{{ 1 | fails }}\n" }],
    ["no such filter",                     "page:3", { page: "a\n\n{{ 1 | nope }}\n" }],
    ["an operator",                        "page:3", { page: "a\n{{ fine }}\n{{ 1 in 2 }}" }],
    ["cannot be parsed",                   "page:2", { page: "a\n{% if %}\n" }],
    ["an unknown tag",                     "page:3", { page: "a\n\n{% nope %}\n" }],
    ["a tag without an end",               "page:3", { page: "a\n{% if a %}{% endif %}\n{% if b %}\n\n\n" }],
    ["in an include",                      "part:3", { page: "x\n{% include 'part' %}", part: FAILS }],
    ["in an include of an include",        "two:3",  { page: "x\n{% include 'one' %}", one: "\n\n\n{% include 'two' %}", two: FAILS }],
    ["in an include in a loop",            "part:3", { page: "x\n{% for i in [1, 2] %}\n{% include 'part' %}{% endfor %}", part: FAILS }],
    ["an include that cannot be parsed",   "part:2", { page: "x\n{% include 'part' %}", part: "a\n{% if %}\n" }],
    ["no such include",                    "page:2", { page: "x\n{% include 'part' %}" }],
    ["in an imported macro",               "m:4",    { page: "{% from 'm' import m %}\n\n\n\n{{ m() }}", m: `{% macro m() %}\n${FAILS}{% endmacro %}` }],
    ["in a macro of a namespace",          "m:4",    { page: "{% import 'm' as m %}\n\n\n\n{{ m.m() }}", m: `{% macro m() %}\n${FAILS}{% endmacro %}` }],
    ["in a macro of the same file",        "page:4", { page: `{% macro m() %}\n${FAILS}{% endmacro %}\n\n\n{{ m() }}` }],
    ["in a macro that a macro calls",      "n:4",    { page: "{% from 'm' import m %}\n\n{{ m() }}", m: "{% from 'n' import n %}\n{% macro m() %}\n\n\n{{ n() }}{% endmacro %}", n: `{% macro n() %}\n${FAILS}{% endmacro %}` }],
    ["in an include of a macro",           "part:3", { page: "{% from 'm' import m %}\n\n{{ m() }}", m: "{% macro m() %}\n{% include 'part' %}{% endmacro %}", part: FAILS }],
    ["in what a macro is called with",     "page:6", { page: `{% from 'm' import m %}\n\n{% call m() %}\n${FAILS}{% endcall %}`, m: "{% macro m() %}\n\n\n\n{{ caller() }}{% endmacro %}" }],
    ["in a default of a macro",            "m:3",    { page: "{% from 'm' import m %}{{ m() }}", m: "\n\n{% macro m(a=nothing.x()) %}{% endmacro %}" }],
    ["after a macro",                      "page:5", { page: `{% from 'm' import m %}\n{{ m() }}\n${FAILS}`, m: "{% macro m() %}\n\n\n\nok{% endmacro %}" }],
    ["in an imported file",                "m:3",    { page: "x\n{% from 'm' import m %}", m: FAILS }],
    ["an import that cannot be parsed",    "m:3",    { page: "x\n{% from 'm' import q %}", m: "\n\n{% if %}" }],
    ["no such name in an import",          "page:2", { page: "x\n{% from 'm' import q %}", m: "{% macro m() %}{% endmacro %}" }],
    ["in a parent",                        "base:3", { page: "{% extends 'base' %}{% block a %}{% endblock %}", base: FAILS }],
    ["in a block of a parent",             "base:4", { page: "{% extends 'base' %}{% block b %}{% endblock %}", base: `x\n{% block a %}${FAILS}{% endblock %}` }],
    ["in a parent, after a block",         "base:6", { page: "{% extends 'base' %}\n{% block a %}ok{% endblock %}", base: `x\n{% block a %}{% endblock %}\n\n${FAILS}` }],
    ["in a block",                         "page:8", { page: `{% extends 'base' %}\n\n\n\n{% block a %}\n${FAILS}{% endblock %}`, base: "x\n{% block a %}{% endblock %}" }],
    ["in super()",                         "base:5", { page: "{% extends 'base' %}\n{% block a %}\n{{ super() }}{% endblock %}", base: `x\n{% block a %}\n${FAILS}{% endblock %}` }],
    ["in an include of a parent's block",  "part:3", { page: "{% extends 'mid' %}\n{% block a %}{{ super() }}{% endblock %}", mid: "{% extends 'base' %}\n{% block a %}\n{% include 'part' %}{% endblock %}", base: "x\n{% block a %}{% endblock %}", part: FAILS }],
    ["a parent that cannot be parsed",     "base:3", { page: "{% extends 'base' %}", base: "\n\n{% if %}" }],
    ["no such parent",                     "page:2", { page: "\n{% extends 'base' %}" }],
    ["in a template that a helper renders", "menu:3", { page: "a\n{{ inside('menu') }}", menu: FAILS }],
    ["in an include of one that waits",    "part:3", { page: "a\n{% asyncEach x in [1] %}{% include 'part' %}{% endeach %}", part: FAILS }],
    ["in a parent that waits",             "base:4", { page: "{% extends 'base' %}{% block a %}{% endblock %}", base: `{% asyncEach x in [] %}{% endeach %}\n${FAILS}` }],
  ])("%s: %s", (_where, expected, templates) => {
    const root = emptyDir();
    for (const [name, text] of Object.entries(templates)) saveFile(root, `templates/${name}`, text);
    const fail = (): never => {
      throw new Error("failed on purpose");
    };
    const { environment } = openTemplates(root, (each) =>
      each
        .addGlobal("fail", fail)
        .addFilter("fails", fail)
        .addGlobal("inside", (name: string) => renderTemplate(each, name, {})),
    );
    let error: unknown;
    try {
      renderTemplate(environment, "page", { title: "x" });
    } catch (caught) {
      error = caught;
    }
    const place = placeOfFailure((error as Error).cause);
    expect(place && `${place.template}:${place.line}`).toBe(expected);
    const [file, line] = expected.split(":");
    expect((error as Error).message).toMatch(new RegExp(`^The template page cannot be rendered: \\(${file}\\) \\[Line ${line}, `));
  });
});

it.each(["/about/", "/lost/", "api:pages/ID/render/"])(
  "the log names the address that asked, the file and the line: %s",
  async (path) => {
    const site = await memorySite();
    saveFile(site.cms.root, "templates/defaults/pages/default.html", "{% include 'part.html' %}");
    saveFile(site.cms.root, "templates/404.html", "{% include 'part.html' %}");
    saveFile(site.cms.root, "templates/part.html", FAILS);
    const { id } = await site.page({ title: "About" }, ["en"]);
    const asked = path.replace("ID", id);
    const answer = await site.ask("GET", `${asked}?x=1`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([500, { detail: "Internal server error." }]);
    expect(site.logged.at(-1)).toMatch(
      /^GET \S+ \(request \S+\): The template .* cannot be rendered: \(part\.html\) \[Line 3, /,
    );
    expect(site.logged.at(-1)).toContain(asked.replace("api:", "/api/cms/"));
  },
);
