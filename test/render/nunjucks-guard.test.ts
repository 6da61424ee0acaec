/** A guarded template renders the text that plain nunjucks renders, and fails with its file and line where it fails. */
import fc from "fast-check";
import nunjucks from "nunjucks";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../src/render/nunjucks-guard.ts";
import { openTemplates, renderTemplate } from "../../src/render/templates.ts";
import { emptyDir, saveFile } from "../static-site/build-site.ts";

type Texts = { readonly [name: string]: string };

/** @param isGuarded whether the guard compiles the templates, or nunjucks alone */
function environmentOf(texts: Texts, isGuarded: boolean): nunjucks.Environment {
  class TextLoader extends nunjucks.Loader {
    getSource(name: string): nunjucks.LoaderSource | null {
      const text = texts[name];
      if (text === undefined) return null;
      const src: unknown = isGuarded ? { type: "code", obj: compileTemplate(text, name) } : text;
      return { src: src as string, path: name, noCache: false };
    }
  }
  const environment = new nunjucks.Environment(new TextLoader() as unknown as nunjucks.ILoader, {
    autoescape: true,
    dev: true,
  });
  environment.addGlobal("fail", () => {
    throw new Error("failed on purpose");
  });
  environment.addGlobal("own", function (this: { readonly ctx: { readonly title?: unknown } }, ...args: unknown[]) {
    return `${String(this.ctx.title)}:${args.length}`;
  });
  return environment;
}

/** A fresh one each time: templates may push into lists. */
const contextOf = (): object => ({
  title: "<T> & \"co\" 'x' \\",
  n: 3,
  zero: 0,
  nothing: null,
  yes: true,
  list: [3, 1, 2],
  words: ["a<b", "c", ""],
  pages: [
    { id: 1, title: "One", tags: ["x", "y"], up: { title: "Root" } },
    { id: 2, title: "<Two>", tags: [] },
    { id: 3 },
  ],
  byName: { first: 1, second: { deep: [1, { er: "deepest" }] } },
  map: new Map([["k", 1]]),
  say: (what: unknown) => `said ${String(what)}`,
});

function causeOf(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  return "Update" in inner ? inner.message : `${inner.name}: ${inner.message}`;
}

const rendered = (
  texts: Texts,
  isGuarded: boolean,
  name = "page",
): { readonly text?: string; readonly reason?: string } => {
  try {
    return { text: environmentOf(texts, isGuarded).render(name, contextOf()) };
  } catch (error) {
    // A template that does not parse is told in other words than those of nunjucks, which are the cause.
    const thrown = isGuarded ? causeOf(error as Error) : (error as Error).message;
    return { reason: thrown.trim().split("\n").at(-1)!.trim() };
  }
};

const PARTS: Texts = {
  base: "<{% block title %}base {{ title }}{% endblock %}|{% set shared = n + 1 %}{% block main %}main {{ shared }}{% block inner %}in{% endblock %}{% endblock %}|{{ late }}>",
  middle: '{% extends "base" %}{% block title %}[{{ super() }}]{% endblock %}',
  part: "({{ title }}{{ each }}{{ loop.index }}{% set inside = 7 %}{{ inside }})",
  looping: '{% for x in list %}{{ x }}{% include "part" %}{% endfor %}',
  macros:
    '{% macro one(a, b="d", c=none) %}<i>{{ a }}{{ b }}{{ c }}{{ title }}{{ kwargs }}</i>{% endmacro %}{% macro wrap(x) %}[{{ x }}{{ caller() if caller }}]{% endmacro %}{% set mark = "!" %}{% set _own = 1 %}',
  context: "{% set seen = title %}{% macro m() %}{{ title }}{% endmacro %}",
  waits:
    'B{% block main %}{% for x in list %}{% include "broken" %}{% endfor %}after{% endblock %}{% asyncEach x in [] %}{% endeach %}',
  "waits between":
    '{% extends "base" %}{% block main %}{% asyncEach x in list %}{{ x }}{% endeach %}{{ super() }}{% include "broken" %}{% endblock %}',
  "waits, exported":
    '{% asyncEach x in [] %}{% endeach %}{% for x in list %}{% include "broken" %}{% endfor %}{% set k = 1 %}',
  "macro that fails": '{% macro m() %}{% include "broken" %}{% endmacro %}',
  broken: "a\nb\n{{ nothing.at.all() }}",
  wrong: "{% for %}",
};

describe("every construct", () => {
  const CASES: readonly string[] = [
    'plain \\ text with "quotes"\r\n\ttabs \u2028',
    "{{ title }} {{ title | safe }} {{ n }} {{ nothing }} {{ missing }} {{ zero }} {{ yes }} {{ 1.50 }} {{ list }} {{ 'lit<' }} {{ none }} {{ [1, '<'] }}",
    "{{ byName.second.deep[1].er }} {{ byName['first'] }} {{ byName[words[1]] }} {{ list[0] }} {{ list[n - 1] }} {{ missing.at.all }} {{ nothing.x }} {{ title.length }} {{ ('a' ~ n).length }}",
    "{{ title.toUpperCase() }} {{ title.split(' ')[0] }} {{ list.concat([9]).join('-') }} {% set f = title.indexOf %}{{ f('&') }} {{ map.get('k') }} {{ map.size }}",
    "{{ say('<x>') }} {{ own(1, 2) }} {{ own(k=1) }} {{ byName.missing }}",
    "{{ n + 1 }} {{ n - 1 }} {{ n * 2 }} {{ n / 2 }} {{ 7 // 2 }} {{ 7 % 4 }} {{ 2 ** 3 }} {{ -n }} {{ +n }} {{ n ~ title }} {{ not n }} {{ n == '3' }} {{ n === '3' }} {{ 1 < n <= 3 }}",
    "{{ 2 in list }} {{ 9 not in list }} {{ 'first' in byName }} {{ n is odd }} {{ missing is defined }} {{ n is divisibleby(3) }} {{ nothing is null }}",
    "{{ 'a' if n > 2 else 'b' }} {{ 'a' if n > 9 }} {{ (title or 'x') and n }} {{ missing or zero or 'last' }}",
    "{{ list | sort | join(',') }} {{ pages | length }} {{ title | lower | replace('t', '<') }} {{ missing | default('d') }} {{ pages | groupby('id') | dump }} {{ title | escape }} {{ title | escape | escape }}",
    "{% if n > 5 %}a{% elif n == 3 %}b{{ title }}{% else %}c{% endif %}{% if missing %}x{% endif %}{% if nothing %}{% else %}else{% endif %}",
    "{% for x in list %}{{ loop.index }}/{{ loop.length }}{{ loop.first }}{{ loop.last }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}:{{ x }} {% endfor %}",
    "{% for x in [] %}a{% else %}none{% endfor %}{% for x in missing %}a{% else %}none{% endfor %}{% for x in nothing %}a{% endfor %}",
    "{% for k, v in byName %}{{ k }}={{ v | dump }}{{ loop.index }}{% endfor %}{% for a, b in [[1, 2], [3, 4]] %}{{ a }}{{ b }}{% endfor %}{% for k, v in map %}{{ k }}{{ v }}{% endfor %}",
    "{% for x in pages %}{% set outer = loop %}{% for t in x.tags %}{{ outer.index }}.{{ loop.index }}{{ t }}{% endfor %}{{ loop.index }}{% endfor %}{{ loop }}",
    "{% set kept = [] %}{% for x in list %}{% set z = kept.push(loop) %}{% endfor %}{% for l in kept %}{{ l.index }}{% endfor %}{{ z }}",
    "{% set x = 1 %}{% for y in list %}{% set x = x + y %}{% endfor %}{{ x }}{% set a, b = 5 %}{{ a }}{{ b }}{% if true %}{% set x = 'if' %}{% endif %}{{ x }}",
    "{% set block %}<b>{{ title }}</b>{% for x in list %}{{ x }}{% endfor %}{% endset %}{{ block }}{{ block | safe }}",
    "{% set list = [7] %}{{ list }}{% for list in [1, 2] %}{{ list }}{% endfor %}{{ list }}{% for loop in [1] %}{{ loop }}{% endfor %}",
    "{% switch n %}{% case 1 %}one{% case 2 %}{% case 3 %}three{{ title }}{% default %}other{% endswitch %}{% switch 9 %}{% case 1 %}{% default %}other{% endswitch %}",
    "{% macro m(a, b, c='x', d=n) %}{{ a }}-{{ b }}-{{ c }}-{{ d }}-{{ title }}{% endmacro %}{{ m() }} {{ m(1) }} {{ m(1, 2) }} {{ m(1, 2, 3) }} {{ m(1, c=3) }} {{ m(b=2, a=1) }} {{ m(1, 2, 3, 4, 5) }} {{ m(byName, list) }}",
    "{% macro fact(n) %}{% if n < 2 %}1{% else %}{{ n }}*{{ fact(n - 1) }}{% endif %}{% endmacro %}{{ fact(4) }}",
    "{% macro none() %}x{% endmacro %}{{ none() }}{{ none }}",
    '{% from "macros" import wrap %}{% call wrap("<") %}{{ title }}{% set y = 3 %}{{ y }}{% endcall %}{{ y }}{% call(a, b) wrap(1) %}{{ a }}{% endcall %}',
    '{% import "macros" as m %}{{ m.one(1) }}{{ m.one(1, 2, 3) }}{{ m.one(title, b="<") }}{{ m.mark }}{{ m._own }}{{ m.wrap("a") }}',
    '{% from "macros" import one as uno, mark %}{{ uno("x") }}{{ mark }}{% for x in list %}{% from "macros" import one %}{{ one(x) }}{% endfor %}{{ one }}',
    '{% import "context" as c with context %}{{ c.seen }}{{ c.m() }}{% import "context" as d %}{{ d.seen }}{{ d.m() }}{% from "context" import seen with context %}{{ seen }}',
    '{% from "macros" import missing %}',
    '{% include "part" %}{% set each = "e" %}{% include "part" %}{{ inside }}{% for x in list %}{% include "part" %}{% endfor %}{% include "looping" %}',
    '{% include "missing" ignore missing %}x{% include ["part"] %}',
    '{% include "missing" %}',
    '{% include "pa" + "rt" %}{% include missing ignore missing %}',
    '{% extends "base" %}{% set late = "L" %}{% block main %}mine {{ shared }}{{ late }}{{ super() }}{% endblock %}outside{{ title }}',
    '{% extends "middle" %}{% block title %}<{{ super() }}>{% set t = 1 %}{{ t }}{% endblock %}{% block inner %}{{ super() }}{{ t }}{% endblock %}',
    '{% extends "base" if n == 3 else "middle" %}{% block inner %}{% include "part" %}{% from "macros" import one %}{{ one(1) }}{% endblock %}',
    '{% block a %}{{ title }}{% block b %}b{% endblock %}{% endblock %}{% for x in list %}{% block c %}{{ x }}{% endblock %}{% endfor %}{% block d %}{% set title = "changed" %}{{ title }}{% endblock %}{{ title }}',
    '{% extends "base" %}{% block title %}{% from "macros" import mark %}{{ mark }}{% endblock %}{% block main %}{{ mark }}{% endblock %}',
    "{% block twice %}{% endblock %}{% block twice %}{% endblock %}",
    "{% block main %}{{ super() }}{% endblock %}",
    '{% extends "missing" %}',
    "{{ nothing.at() }}",
    "{{ fail() }}",
    "{{ missing() }} {{ n() }}",
    "{{ x | unknown }}",
    '{% include "broken" %}after',
    '{% for x in list %}{% include "broken" %}{% endfor %}after',
    '{% extends "base" %}{% block inner %}{{ fail() }}{% endblock %}',
    "{% raw %}{{ x }}{% endraw %}{# comment #}{{- n -}} x {%- if n -%} y {%- endif %}",
    "{% filter upper %}a{{ title }}{% endfilter %}{{ 'x' | upper ~ 'y' }}",
    "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{% set j = joiner() %}{{ j() }}{{ j() }}{% for i in range(3) %}{{ i }}{% endfor %}",
    "{{ { a: 1, 'b<': [title] } | dump }}{{ { a: { b: n } }.a.b }}{{ (1, 2) }}",
    "{% asyncEach x in list %}{{ x }}{% endeach %}{% asyncAll x in list %}{{ x }}{{ loop.index }}{% endall %}",
    "{% ifAsync n %}yes{% endif %}",
    '{% for s in [pages[0], pages[2], nothing] %}{% include "part" %}{% for t in s.tags %}{{ t }}{% else %}none{% endfor %};{% endfor %}',
    '{% extends "waits" %}{% block main %}[{{ super() }}]{% endblock %}',
    '{% extends "waits between" %}{% block main %}[{{ super() }}]{% endblock %}',
    '{% import "waits, exported" as w %}{{ w.k }}',
    '{% from "macro that fails" import m %}{% asyncEach x in list %}{% endeach %}{{ m() }}',
    "{% set a %}{% from 'macros' import mark %}{{ mark }}{% set b = 2 %}{% macro inside() %}i{% endmacro %}{{ inside() }}{% endset %}{{ a }}{{ b }}",
  ];
  it.each(CASES)("%s", (page) => {
    const texts = { ...PARTS, page };
    expect(rendered(texts, true)).toEqual(rendered(texts, false));
  });
});

describe("inherited names", () => {
  // oxfmt-ignore
  it.each([
    ["members",              "{{ title.constructor }}{{ list.__proto__ }}{{ list['constructor'] }}{{ ('' + '').prototype }}{{ list['con' + 'structor'] }}{{ list[['constructor']] }}", ""],
    ["variables",            "{{ constructor }}{{ __proto__ }}{{ toString }}{{ hasOwnProperty }}{{ valueOf }}", ""],
    ["variables of their own", "{% set constructor = 1 %}{{ constructor }}{% for toString in [2] %}{{ toString }}{% endfor %}{% macro m(valueOf) %}{{ valueOf }}{% endmacro %}{{ m(3) }}{{ valueOf }}", "123"],
  ])("%s", (_what, page, expected) => {
    expect(rendered({ ...PARTS, page }, true)).toEqual({ text: expected });
  });

  it.each([
    ["{{ constructor.getPrototypeOf(title) }}", /Unable to call `constructor\["getPrototypeOf"\]`/],
    ["{{ '__proto__' | __lookupGetter__ }}", /filter not found: __lookupGetter__/],
    ["{{ 1 | constructor }}", /filter not found: constructor/],
    ["{{ 1 is constructor }}", /test not found: constructor/],
    ["{{ [1] | select('toString') }}", /test not found: toString/],
    ["{% include 'constructor' %}", /template not found: constructor/],
    ["{% include '__proto__' %}", /template not found: __proto__/],
  ])("%s fails", (page, expected) => {
    const root = emptyDir();
    saveFile(root, "templates/page", page);
    const { environment } = openTemplates(root, (each) => each);
    expect(() => renderTemplate(environment, "page", { title: "x" })).toThrow(expected);
  });
});

describe("what a page defines is no variable of another page", () => {
  const pages = (first: string, second: string): unknown[] => {
    const environment = environmentOf({ ...PARTS, first, second }, true);
    try {
      environment.render("first", contextOf());
    } catch {
      // Only what the second page sees matters.
    }
    return [
      environment.render("second", contextOf()),
      Object.keys(globalThis).filter((name) => /^(t|hole|macro_t)_\d+$/.test(name)),
    ];
  };
  // oxfmt-ignore
  it.each([
    ["set at its top",           "{% set own_ = 1 %}", "[{{ own_ }}]", "[]"],
    ["imported in a branch",     '{% if yes %}{% import "macros" as x %}{% endif %}{% set x = "of one" %}', '{% if missing %}{% import "macros" as x %}{% endif %}[{{ x }}]', "[]"],
    ["imported after an include", '{% if yes %}{% include "part" %}{% from "macros" import mark as x %}{% endif %}{% set x = "of one" %}', "[{{ x }}]", "[]"],
    ["a macro after an include", '{% if yes %}{% include "macros" %}{% macro x() %}one{% endmacro %}{% endif %}{% set x = "of one" %}', "[{{ x }}]", "[]"],
  ])("%s", (_how, first, second, expected) => {
    expect(pages(first, second)).toEqual([expected, []]);
  });
});

describe("what nunjucks has wrong", () => {
  const text = (page: string): string | undefined => rendered({ ...PARTS, page }, true).text;
  // oxfmt-ignore
  it.each([
    ["a list that is none, after one that is",   "{% for s in [pages[0], pages[2]] %}{% for t in s.tags %}{{ t }}{% else %}none{% endfor %};{% endfor %}", "xy;none;"],
    ["an include where a loop finds nothing",    '{% for x in missing %}{% else %}{% include "macros" %}{% endfor %}', ""],
    ["an include in a case",                     '{% switch n %}{% case 3 %}{% include "macros" %}three{% default %}other{% endswitch %}', "three"],
    ["a macro in one of two branches",           '{% if yes %}{% include "macros" %}{% macro m() %}a{% endmacro %}{% else %}{% macro m() %}b{% endmacro %}{% endif %}{{ m() }}', "a"],
    ["an import in one of two branches",         '{% if yes %}{% import "macros" as m %}{% else %}{% import "context" as m %}{% endif %}{{ m.mark }}', "!"],
    ["a name that a capture has imported",       '{% set cap %}{% from "macros" import mark as x %}{% endset %}{{ x }}{% set x = "own" %}{{ x }}', "!own"],
  ])("%s", (_what, page, expected) => {
    expect(text(page)).toBe(expected);
  });

  it("a name that a capture has imported is no other page's", () => {
    const [one, two] = [
      '{% set cap %}{% from "macros" import mark as x %}{% endset %}{% set x = "of one" %}',
      '{% set cap %}{% from "macros" import mark as x %}{% endset %}{% if missing %}{% set x = 1 %}{% endif %}[{{ x }}]',
    ];
    const alone = text(two);
    text(one);
    expect([alone, text(two)]).toEqual(["[!]", "[!]"]);
  });
});

describe("the place of a failure", () => {
  const said = (page: string): string => {
    try {
      environmentOf({ ...PARTS, page }, true).render("page", contextOf());
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("nothing failed");
  };
  it.each([
    [
      "in a function that is none",
      "a\n{{ nothing.at() }}",
      /^\(page\) \[Line 2, Column \d+\]\s+Error: Unable to call `nothing\["at"\]`/,
    ],
    ["in an include", 'a\n\n{% include "broken" %}', /^\(broken\) \[Line 3, Column \d+\]\s+Error: Unable to call/],
    [
      "in an include that cannot be parsed",
      'a\n{% include "wrong" %}',
      /^\(wrong\) \[Line 1, Column \d+\]\s+`\{% for %\}` is not closed/,
    ],
    [
      "in an include that cannot be parsed, of a template that waits",
      'a\n{% asyncEach x in list %}{% include "wrong" %}{% endeach %}',
      /^\(wrong\) \[Line 1, Column \d+\]\s+`\{% for %\}` is not closed/,
    ],
    [
      "in an import that cannot be parsed",
      '{% import "wrong" as w %}',
      /^\(wrong\) \[Line 1, Column \d+\]\s+`\{% for %\}` is not closed/,
    ],
    [
      "in a parent that cannot be parsed",
      '{% extends "wrong" %}',
      /^\(wrong\) \[Line 1, Column \d+\]\s+`\{% for %\}` is not closed/,
    ],
    [
      "for want of a template",
      'a\n\n{% include "missing" %}',
      /^\(page\) \[Line 3, Column \d+\]\s+Error: template not found: missing/,
    ],
    [
      "for want of a name",
      'a\n{% from "macros" import unknown %}',
      /^\(page\) \[Line 2, Column \d+\]\s+Error: cannot import 'unknown'/,
    ],
    [
      "after a block",
      "{% block a %}\n\nx{% endblock %}\n{{ fail() }}",
      /^\(page\) \[Line 4, Column \d+\]\s+Error: failed on purpose/,
    ],
    [
      "in a block of a template that extends another",
      '{% extends "base" %}\n{% block main %}\n{{ fail() }}{% endblock %}',
      /^\(page\) \[Line 3, Column \d+\]\s+Error: failed on purpose/,
    ],
  ])("%s", (_where, page, expected) => {
    expect(said(page)).toMatch(expected);
  });
});

/** Templates put together at random, mostly from what the example site's are made of. */
const { template } = fc.letrec<{ expression: string; statement: string; template: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      "title",
      "n",
      "list",
      "pages",
      "byName",
      "missing",
      "nothing",
      "x",
      "y",
      "item",
      "loop",
      "loop.index",
      "loop.last",
      "shared",
      "mark",
      "late",
      "'<s>'",
      "2",
      "true",
      "none",
    ),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom("title", "length", "id", "tags", "up", "second", "deep", "index", "0", "missing"),
      )
      .map(([of, name]) => (/^\d/.test(name) ? `(${of})[${name}]` : `(${of}).${name}`)),
    fc.tuple(tie("expression"), tie("expression")).map(([of, at]) => `(${of})[${at}]`),
    fc
      .tuple(tie("expression"), fc.constantFrom("+", "~", "==", "and", "or", "<"), tie("expression"))
      .map(([a, by, b]) => `(${a} ${by} ${b})`),
    fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([a, b, c]) => `(${a} if ${b} else ${c})`),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom("safe", "dump", "length", "string", "default('d')", "escape", "join(',')"),
      )
      .map(([a, by]) => `(${a} | ${by})`),
    fc
      .tuple(
        fc.constantFrom("one", "m.one", "wrap", "say", "own", "list.concat"),
        fc.array(tie("expression"), { maxLength: 3 }),
        fc.boolean(),
      )
      .map(([name, args, hasKeyword]) => `${name}(${[...args, ...(hasKeyword ? ["b=n"] : [])].join(", ")})`),
    tie("expression").map((each) => `not ${each}`),
  ),
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("text ", "<p>\n", ""),
    tie("expression").map((each) => `{{ ${each} }}`),
    fc
      .tuple(fc.constantFrom("x", "y", "title", "late", "_p", "loop"), tie("expression"))
      .map(([name, value]) => `{% set ${name} = ${value} %}`),
    fc
      .tuple(fc.constantFrom("x", "late"), tie("template"))
      .map(([name, body]) => `{% set ${name} %}${body}{% endset %}`),
    fc
      .tuple(tie("expression"), tie("template"), tie("template"))
      .map(([on, a, b]) => `{% if ${on} %}${a}{% else %}${b}{% endif %}`),
    fc
      .tuple(fc.constantFrom("item", "x", "k, v"), tie("expression"), tie("template"), tie("template"))
      .map(([name, of, body, none]) => `{% for ${name} in ${of} %}${body}{% else %}${none}{% endfor %}`),
    fc.constantFrom(
      '{% include "part" %}',
      '{% include "looping" %}',
      '{% include "missing" ignore missing %}',
      '{% from "macros" import one, wrap, mark %}',
      '{% import "macros" as m %}',
      '{% import "context" as m with context %}',
    ),
    fc
      .tuple(fc.constantFrom("", "a", "a, b=n"), tie("template"))
      .map(([args, body]) => `{% macro local(${args}) %}${body}{% endmacro %}`),
    tie("template").map((body) => `{% call wrap(n) %}${body}{% endcall %}`),
  ),
  template: fc.array(tie("statement"), { maxLength: 4 }).map((all) => all.join("")),
}));

const page = fc
  .record({
    head: fc.constantFrom("", "", '{% extends "base" %}', '{% extends "middle" %}'),
    start: template,
    blocks: fc.uniqueArray(fc.tuple(fc.constantFrom("title", "main", "inner", "other"), template, fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 3,
    }),
    end: template,
  })
  .map(
    ({ head, start, blocks, end }) =>
      `${head}{% from "macros" import one, wrap, mark %}{% import "macros" as m %}${start}${blocks.map(([name, body, above]) => `{% block ${name} %}${above && head !== "" && name !== "other" ? "{{ super() }}" : ""}${body}{% endblock %}`).join("")}${end}`,
  );

/** Loops in loops multiply: a page with a dozen of them takes minutes. */
const LOOPS_MAX = 4;
const isShort = (text: string): boolean => (text.match(/\{% (?:for|include "looping")/g) ?? []).length <= LOOPS_MAX;

it("renders whatever nunjucks renders, to the same text", () => {
  let made = 0;
  fc.assert(
    fc.property(page.filter(isShort), (text) => {
      const texts = { ...PARTS, page: text };
      const theirs = rendered(texts, false);
      if (theirs.text !== undefined) made++;
      // What nunjucks compiles to JavaScript that is none: an include where a loop finds nothing, a name whose import was not reached.
      if (!/^(SyntaxError|ReferenceError)/.test(theirs.reason ?? "")) expect(rendered(texts, true)).toEqual(theirs);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 500) },
  );
  expect(made).toBeGreaterThan(100);
}, 600_000);
