/** The answer to a page that cannot be made, in development mode: what failed, where, and what to try. */
import nunjucks from "nunjucks";
import { messageOf } from "../../errors.ts";
import { hintFor, namesIn } from "../../render/template-hints.ts";
import { placeOfFailure, reasonOfFailure } from "../../render/template-failure.ts";
import type { Templates } from "../../render/templates.ts";

/** What is shown beside the error itself. */
export interface FailedPage {
  /** Address of the request. */
  readonly address: string;
  /** The page at this address, where one was found. */
  readonly page: { readonly id: number; readonly title: string; readonly template: string } | undefined;
  /** Under which the log has the error. */
  readonly requestId: string;
}

/** Lines shown before and after the one that failed. */
const AROUND = 6;

/** @returns HTML. It needs no file of the site, since any of them may be broken. */
export function errorPage(error: unknown, templates: Templates, failed: FailedPage): string {
  const place = placeOfFailure(error);
  const reason = reasonOfFailure(error);
  const names = namesIn(templates);
  const text = place && templates.text(place.template);
  return RENDERER.renderString(PAGE, {
    ...failed,
    place,
    reason: (reason ?? messageOf(error)).replace(/^Error: /, ""),
    // Every second part is a name in the template language.
    hint: reason && hintFor(reason, names)?.split("`"),
    excerpt: text && place.line !== null ? excerptOf(text, place.line) : [],
    names: place && names,
    stack: place ? undefined : stackOf(error),
  });
}

interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  readonly isFailed: boolean;
}

/** @param line from 1 */
export function excerptOf(text: string, line: number): ExcerptLine[] {
  const first = Math.max(1, line - AROUND);
  const lines = text.split("\n").slice(first - 1, line + AROUND);
  return lines.map((each, at) => ({ number: first + at, text: each, isFailed: first + at === line }));
}

/** The innermost cause has the place in the site's own code. */
function stackOf(error: unknown): string | undefined {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner instanceof Error ? inner.stack : undefined;
}

const RENDERER = new nunjucks.Environment(null, { autoescape: true, trimBlocks: true, lstripBlocks: true });

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{{ reason | truncate(60) }}</title>
<style>
:root { color-scheme: light dark; --ink: #1d2329; --soft: #5b6670; --paper: #f6f4ef; --sheet: #fff; --line: #dcd8ce;
  --red: #b3261e; --mark: #fbe4e1; --hint: #eef4ea; --hint-line: #9dba8c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --soft: #9aa5ad; --paper: #14181c; --sheet: #1c2227;
  --line: #333b42; --red: #ff8a80; --mark: #46211f; --hint: #1e2a1d; --hint-line: #5f7d50; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); }
.kind { color: var(--red); font-weight: 600; margin: 0; }
h1 { font-size: clamp(1.25rem, 3.5vw, 1.75rem); line-height: 1.25; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
code, pre { font: .875rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
figure { margin: 1.5rem 0; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
figcaption { padding: .6rem 1rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
pre { margin: 0; padding: .5rem 0; overflow-x: auto; }
pre span { display: block; min-width: max-content; padding: 0 1rem; }
pre .failed { background: var(--mark); box-shadow: inset 3px 0 var(--red); }
pre i { display: inline-block; width: 3.5ch; margin-right: 1.5ch; text-align: right; color: var(--soft); font-style: normal;
  user-select: none; }
.hint { background: var(--hint); border-left: 3px solid var(--hint-line); border-radius: .25rem; padding: .75rem 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); padding: .75rem 0; } summary { cursor: pointer; }
details p { margin: .5rem 0; overflow-wrap: anywhere; } .soft { color: var(--soft); }
</style>
</head>
<body>
<main>
<p class="kind">{% if place %}A template failed{% else %}This page cannot be made{% endif %}</p>
<h1>{{ reason }}</h1>
{% if hint %}
<p class="hint" role="note">
{%- for part in hint %}{% if loop.index0 % 2 %}<code>{{ part }}</code>{% else %}{{ part }}{% endif %}{% endfor -%}
</p>
{% endif %}
{% if place %}
<figure>
<figcaption><code>templates/{{ place.template }}{% if place.line %}:{{ place.line }}{% endif %}</code></figcaption>
{% if excerpt.length %}
<pre tabindex="0" aria-label="Excerpt of the template">
{%- for line in excerpt -%}
<span{% if line.isFailed %} class="failed" aria-current="true"{% endif %}><i>{{ line.number }}</i>{{ line.text }}
</span>
{%- endfor -%}
</pre>
{% endif %}
</figure>
{% elif stack %}
<figure><pre tabindex="0" aria-label="Stack"><span>{{ stack }}</span></pre></figure>
{% endif %}
<dl>
<dt>Address</dt><dd><code>{{ address }}</code></dd>
{% if page %}
<dt>Page</dt><dd>{{ page.title }} <span class="soft">(id {{ page.id }})</span></dd>
<dt>Its template</dt><dd><code>templates/{{ page.template }}</code></dd>
{% endif %}
<dt>In the log</dt><dd><code>request {{ requestId }}</code></dd>
</dl>
{% if names %}
<details><summary>Variables, functions and filters of templates</summary>
<p>Variables: {% for name in names.variables %}<code>{{ name }}</code>{% if not loop.last %}, {% endif %}{% endfor %}</p>
<p>Functions: {% for name in names.functions %}<code>{{ name }}()</code>{% if not loop.last %}, {% endif %}{% endfor %}</p>
<p>Filters: {% for name in names.filters %}<code>{{ name }}</code>{% if not loop.last %}, {% endif %}{% endfor %}</p>
</details>
{% endif %}
<p class="soft">This page loads itself again when a template, the content or a media file changes. It is shown in development mode
only; visitors of a site in production get a plain error.</p>
</main>
</body>
</html>
`;
