/**
 * The description of the API as one page for people. It needs no other file, so it works offline, and its own policy
 * allows its style and script alone.
 */
import { createHash } from "node:crypto";
import { refName, type Schema } from "../../schema/json-schema.ts";
import { curlOf } from "./curl.ts";
import type { OpenApi, OpenApiOperation, OpenApiResponse } from "./document.ts";
import { markup, raw, type Markup } from "./markup.ts";
import { prose, schemaBody, schemaTypeOf } from "./reference-schemas.ts";
import { SCRIPT, STYLE } from "./reference-style.ts";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const REFERENCE_POLICY =
  `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

interface Item extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
}

/** @returns HTML */
export function referencePage(document: OpenApi): string {
  const items = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Item => ({ method, path, ...operation })),
  );
  const tags = document.tags.map(({ name }) => name);
  const site = document.servers[0]?.url ?? "/";
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1>API reference</h1>
${prose(document.info.description)}
<p>Version ${document.info.version}. For programs: <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>The examples expect the address of the site, and a token for what is not public:</p>
<pre><code>SITE=<span${site === "/" && raw(' id="site"')}>${site === "/" ? "http://127.0.0.1:8000" : site}</span>
TOKEN=...   # cms token &lt;user&gt;, or POST token-auth/</code></pre>
</header>
<div class="search" role="search"><div>
<input type="search" placeholder="Search, for example: publish draft" aria-label="Search operations and schemas" autocomplete="off">
<output aria-live="polite"></output>
</div></div>
<div class="columns">
<nav aria-label="Contents"><ul>
${tags.map((tag) => markup`<li><a href="#tag-${tag}">${titleOf(tag)}</a></li>\n`)}<li><a href="#schemas">Schemas</a></li>
</ul></nav>
<main>
${tags.map(
  (tag) => markup`<section id="tag-${tag}"><h2>${titleOf(tag)}</h2>
${items.filter((item) => item.tags.includes(tag)).map((item) => operationItem(item, document))}</section>
`,
)}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaItem(name, schema, document))}
</section>
</main>
</div>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.html;
}

/** `Sync and hooks` for `sync-and-hooks`. */
const titleOf = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll("-", " ");

function operationItem(item: Item, document: OpenApi): Markup {
  const { method, path, operationId, summary, description, parameters = [], requestBody, responses } = item;
  const answers = Object.entries(responses);
  const refusals = answers.filter(([, response]) => "$ref" in response);
  const words = [method, path, summary, description, ...parameters.map(({ name }) => name)].join(" ");
  return markup`<details class="item" id="${operationId}" data-words="${words}">
<summary><b class="${method}">${method}</b> <span class="path">${path}</span> <span class="what">${summary}</span></summary>
<div class="inside">
${prose(description)}
${
  parameters.length > 0 &&
  markup`<h3>Parameters</h3>
<dl class="keys">${parameters.map(parameterRow)}</dl>`
}
${
  requestBody &&
  markup`<h3>Body${!requestBody.required && " (optional)"}</h3>
${Object.entries(requestBody.content).map(([type, { schema }]) => shape(type, schema))}`
}
<h3>Answers</h3>
<dl class="keys">${answers.filter(([, response]) => !("$ref" in response)).map(([status, response]) => answerRow(status, response, document))}</dl>
<details class="refusals"><summary>Refusals: ${refusals.map(([status]) => status).join(", ")}</summary>
<dl class="keys">${refusals.map(([status, response]) => answerRow(status, response, document))}</dl></details>
<h3>Example</h3>
<pre tabindex="0" aria-label="Call with curl"><code>${curlOf(method, path, item, document)}</code></pre>
${exampleOf(item, document)}
</div>
</details>
`;
}

const parameterRow = ({
  name,
  in: place,
  required,
  description,
  schema,
}: NonNullable<Item["parameters"]>[number]): Markup =>
  markup`<dt><code>${name}</code> <span class="type">${schemaTypeOf(schema)}, in the ${place}</span>${required && markup` <span class="required">required</span>`}</dt>
<dd>${prose(description)}</dd>`;

/** A body: a link to its schema, or its keys. */
const shape = (type: string, schema: Schema): Markup =>
  markup`<p><code>${type}</code>: ${schemaTypeOf(schema)}</p>${!refName(schema) && schema.properties !== undefined && schemaBody(schema)}`;

function answerRow(status: string, found: OpenApiResponse | { readonly $ref: string }, document: OpenApi): Markup {
  const { description, content = {} } = resolved(found, document);
  return markup`<dt><code>${status}</code> <span class="type">${Object.values(content).map(({ schema }) => schemaTypeOf(schema))}</span></dt>
<dd>${prose(description)}</dd>`;
}

function resolved(found: OpenApiResponse | { readonly $ref: string }, document: OpenApi): OpenApiResponse {
  if (!("$ref" in found)) return found;
  const responses = document.components.responses as { readonly [name: string]: OpenApiResponse };
  return responses[found.$ref.split("/").at(-1) ?? ""] ?? { description: "" };
}

/** The example of the answer, where it is that of a schema. */
function exampleOf({ responses }: Item, document: OpenApi): Markup | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const content = success && Object.values(resolved(success, document).content ?? {})[0];
  const [example] = Object.values(content?.examples ?? {}) as { readonly $ref: string }[];
  const name = example?.$ref.split("/").at(-1);
  return name === undefined
    ? undefined
    : markup`<p>Answered with a <a href="#schema-${name}">${name}</a>, with an example there.</p>`;
}

function schemaItem(name: string, schema: Schema, document: OpenApi): Markup {
  const keys = Object.keys((schema.properties as object | undefined) ?? {});
  const example = document.components.examples[name]?.value;
  return markup`<details class="item schema" id="schema-${name}" data-words="${[name, schema.description ?? "", ...keys].join(" ")}">
<summary><span class="path">${name}</span> <span class="what">${String(schema.description ?? "")}</span></summary>
<div class="inside">${schemaBody(schema)}
${example !== undefined && markup`<h3>Example</h3><pre tabindex="0" aria-label="Example"><code>${JSON.stringify(example, null, 2)}</code></pre>`}
</div>
</details>
`;
}
