/** What a template that does not parse says: the tag, the line, and none of the parser's own words. */
import { expect, it } from "vitest";
import { messageOf } from "../../src/errors.ts";
import { compileTemplate } from "../../src/render/nunjucks-guard.ts";
import { placeOfFailure, reasonOfFailure } from "../../src/render/template-failure.ts";

function mistakeIn(text: string): string {
  try {
    compileTemplate(text, "x.html");
  } catch (error) {
    const { line, column } = placeOfFailure(error)!;
    return `${line}:${column} ${reasonOfFailure(error)}`;
  }
  return "none";
}

// oxfmt-ignore
const CASES: readonly (readonly [text: string, mistake: string])[] = [
  ["a\n{% if a %}x",                              "2:1 `{% if %}` is not closed: `{% endif %}` is missing."],
  ["{% block a %}\n{% if a %}x\n{% endblock %}",  "2:1 `{% if %}` is not closed: `{% endif %}` is missing before `{% endblock %}` in line 3."],
  ["{% for x in y %}{% if a %}{% endfor %}",      "1:17 `{% if %}` is not closed: `{% endif %}` is missing before `{% endfor %}` in line 1."],
  ["{% if a %}{% for x in y %}{% else %}{% endif %}", "1:11 `{% for %}` is not closed: `{% endfor %}` is missing before `{% endif %}` in line 1."],
  ["{% macro a() %}x",                            "1:1 `{% macro %}` is not closed: `{% endmacro %}` is missing."],
  ["{% set x %}a",                                "1:1 `{% set %}` is not closed: `{% endset %}` is missing."],
  ["{% switch a %}{% case 1 %}x",                 "1:1 `{% switch %}` is not closed: `{% endswitch %}` is missing."],
  ["{% asyncEach x in [1] %}",                    "1:1 `{% asyncEach %}` is not closed: `{% endeach %}` is missing."],
  ["{% block a %}\n{% endif %}{% endblock %}",    "2:1 `{% endif %}` belongs to no `{% if %}`."],
  ["{% else %}",                                  "1:1 `{% else %}` belongs to no `{% if %}`."],
  ["{%- if a -%}{% endfi %}",                     "1:13 There is no tag `endfi`. Did you mean `endif`?"],
  ["{% nothing %}",                               "1:1 There is no tag `nothing`."],
  ["{% block a %}{% endblock %}\n{% block a %}{% endblock %}", "2:1 The block `a` is there twice: it begins in line 1 already."],
  ['<p>\n{{ "abc }}\n<a href="x">',               '2:4 The quote " is not closed.'],
  ["{% if a == 'x %}y{% endif %}",                "1:12 The quote ' is not closed."],
  ["{{ a['x] }}",                                 "1:6 The quote ' is not closed."],
  ["{# abc",                                      "1:1 `{#` is not closed: `#}` is missing."],
  ["x\n{{ a\n{{ b }}",                            "2:1 `{{` is not closed: `}}` is missing."],
  ["{% if a }x{% endif %}",                       "1:1 `{%` is not closed: `%}` is missing."],
  ["{{ a b }}",                                   "1:6 Here `}}` is expected. Operators are `and`, `or`, `not`, `~` and `a if b else c`."],
  ["{% if a and b c %}{% endif %}",               "1:17 Here `%}` is expected, the end of the tag `if`. Operators are `and`, `or`, `not`, `in` and `is`."],
  ["{{ a + }}",                                   "1:8 A value is missing before `}}`."],
  ["{{ a | }}",                                   "1:8 A name is missing here."],
  ["{{ f(a }}",                                   "1:8 A comma or `)` is missing."],
  ["{% for a of b %}{% endfor %}",                "1:4 A loop is written `{% for item in items %}`."],
  ["{% import 'x' %}",                            '1:4 An import is written `{% import "file.html" as name %}`.'],
];

it.each(CASES)("%j: %s", (text, mistake) => expect(mistakeIn(text)).toBe(mistake));

it.each([
  '{{ "}}" }}{{ "%}" | upper }}{% if a == "%}" %}{% endif %}',
  "{% raw %}{% if %}{{ \"{% endraw %}{% set a = '=' %}{% set b %}x{% endset %}",
  "{# it's {% if %} #}{{ 'it\\'s' }}",
  "{% switch a %}{% case 1 %}{% default %}{% endswitch %}{% for x in y %}{% else %}{% endfor %}",
])("what is right is left alone beside a mistake: %j", (fine) => {
  expect(mistakeIn(fine)).toBe("none");
  expect(mistakeIn(`${fine}\n{% if %}{% endif %}`)).toBe("2:7 A value is missing before `%}`.");
});

/** Pieces of templates; each cut of them is a mistake of its own. */
const WHOLE = `{% extends "a" %}{% block b %}{% for x in [1, {a: "b"}] %}{{ x.y["z"](1, k=2) | f('q') if a else 'c' }}{% else %}{% endfor %}{% call m(a) %}{% endcall %}{% endblock %}`;

it("no cut of a template is told in the words of the parser or of JavaScript", () => {
  for (let length = 0; length < WHOLE.length; length++) {
    const told = mistakeIn(WHOLE.slice(0, length));
    expect(told).not.toMatch(/parse[A-Z]|Cannot read|undefined|null|end of file|EOF|unknown block|TypeError/);
    expect(messageOf(told)).toMatch(/^(none|\d+:\d+ .+\.)$/);
  }
});
