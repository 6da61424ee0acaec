/** The description of the API by itself: for programs, and as pages for people. */
import type { Config } from "../../config.ts";
import { pace } from "../../time-slices.ts";
import { BLOCK_TYPES } from "../../store/records/block-types.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { once } from "../../model/text/once.ts";
import { derived, keptBy } from "../../memo.ts";
import { PAGE_MODELS } from "../../store/records/page-models.ts";
import type { Entity } from "../../store/records/record-type.ts";
import { shapeOf } from "../../schema/site-shape.ts";
import { TEXT } from "../../schema/json-schema.ts";
import { pluginRoutes } from "../routes/plugins.ts";
import { html, jsonText, type Reply } from "../request/reply.ts";
import { get, type Call, type Route } from "../app/route.ts";
import { describeApi, type OpenApi } from "./document.ts";
import { olderDocument } from "./older.ts";
import { referencePage, REFERENCE_POLICY } from "./reference.ts";
import { importModule } from "../../import-module.ts";

const YAML_TYPE = { "content-type": "application/vnd.oai.openapi; charset=utf-8" };
const OLDER_JSON = { "content-type": "application/vnd.oai.openapi+json; charset=utf-8" };

/** The texts of one site below one root, each made when it is first asked for. */
interface Texts {
  readonly document: () => OpenApi;
  readonly json: () => string;
  readonly olderJson: () => string;
  readonly yaml: () => Promise<string>;
  readonly page: () => string;
}

/** @param described every other route of the program */
export function openapiRoutes(described: readonly Route[]): readonly Route[] {
  const textsOf = openTexts((config) => [...described, ...rows, ...pluginRoutes(config.plugins)]);
  const rows: readonly Route[] = [
    get(
      "openapi",
      "public",
      async (call) => {
        const texts = textsOf(call);
        if (call.url.searchParams.get("format") === "openapi-json") return jsonText(texts.olderJson(), OLDER_JSON);
        return { status: 200, headers: YAML_TYPE, body: await texts.yaml() };
      },
      {
        summary: "Read the description of the API as OpenAPI 3.0",
        description: "YAML; JSON with `format=openapi-json`. For clients that do not read 3.1.",
        query: [{ name: "format", description: "openapi-json: as JSON.", schema: { type: "string" } }],
        answer: TEXT,
        type: "application/vnd.oai.openapi",
      },
      { types: ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json"] },
    ),
    get("openapi.json", "public", (call): Reply => jsonText(textsOf(call).json()), {
      summary: "Read the description of the API as OpenAPI 3.1",
      answer: "OpenApi",
    }),
    get(
      "docs",
      "public",
      (call): Reply =>
        html(textsOf(call).page(), 200, { "content-security-policy": REFERENCE_POLICY, "cache-control": "no-cache" }),
      { summary: "Read the description of the API as a page", answer: TEXT, type: "text/html" },
    ),
  ];
  return rows;
}

/** Texts are kept until a page model, meta type or block type changes: they take a tenth of a second, and anyone may ask for them. */
function openTexts(routesOf: (config: Config) => readonly Route[]): (call: Call) => Texts {
  const keptOf = derived((_config: Config): Kept => ({ of: [], byRoot: new Map() }));
  return ({ ctx: { config, store }, url }) => {
    const root = decodeURI(url.pathname).replace(/\/(openapi|openapi\.json|docs)\/?$/, ""); // one of few, however it was encoded
    const { current } = store;
    const of = [PAGE_MODELS, META_TYPES, BLOCK_TYPES].map((kind) => current.all<Entity>(kind));
    const kept = keptOf(config);
    if (of.some((table, at) => table !== kept.of[at])) Object.assign(kept, { of, byRoot: new Map() });
    return keptBy(kept.byRoot, root, () =>
      textsFrom(once(() => describeApi(shapeOf(config, current), routesOf(config), root, config.BASE_URL))),
    );
  };
}

/** The texts by root, of the page models and meta types that they describe. */
interface Kept {
  readonly of: readonly (readonly object[])[];
  readonly byRoot: Map<string, Texts>;
}

const textsFrom = (document: () => OpenApi): Texts => ({
  document,
  json: once(() => JSON.stringify(document())),
  olderJson: once(() => JSON.stringify(olderDocument(document()))),
  yaml: once(() => yamlText(olderDocument(document()))),
  page: once(() => referencePage(document())),
});

/** Paths and schemas one by one, since the whole takes a tenth of a second. */
async function yamlText(document: object): Promise<string> {
  // Not with this module: a start would wait for it.
  const { stringify } = await importModule<typeof import("yaml")>("yaml");
  const entry = (key: string, value: unknown): string =>
    stringify({ [key]: value }, { lineWidth: 0, aliasDuplicateObjects: false });
  const block = async (key: string, value: object, depth: number): Promise<string> => {
    const lines: string[] = [];
    for (const [name, inner] of Object.entries(value)) {
      await pace();
      const isLarge = name === "schemas" && depth === 1;
      lines.push(
        (isLarge ? await block(name, inner as object, 2) : entry(name, inner)).replace(/^(?=.)/gm, "  ").trimEnd(),
      );
    }
    return `${key}:\n${lines.join("\n")}\n`;
  };
  const parts: string[] = [];
  for (const [key, value] of Object.entries(document))
    parts.push(key === "paths" || key === "components" ? await block(key, value as object, 1) : entry(key, value));
  return parts.join("");
}
