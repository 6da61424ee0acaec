/**
 * The API described by its own table of routes, as OpenAPI 3.0 (contract.md 11.9).
 *
 * It lists the paths, who may call them, and the fields of bodies that write a record; other shapes are in the
 * documentation. Of the routes of plugins it has paths and access, which is all that plugins declare.
 */
import type { Config } from "../config.ts";
import { openPace } from "../time-slices.ts";
import { pluginRoutes } from "./plugins.ts";
import { jsonText, type Reply } from "./reply.ts";
import { schemaOf } from "./openapi-schema.ts";
import type { Access, Call, Route } from "./route.ts";

const YAML_TYPE = { "content-type": "application/vnd.oai.openapi; charset=utf-8" };

/** @param described every other route of the program */
export function openapiRoutes(described: readonly Route[]): readonly Route[] {
  // Cached, because writing the YAML takes a tenth of a second, and the endpoint is public.
  const documents = new WeakMap<Config, Map<string, Document>>();
  const handle = async ({ ctx: { config }, url }: Call): Promise<Reply> => {
    const root = decodeURI(url.pathname).replace(/\/openapi\/?$/, ""); // one of few, however it was encoded
    const byRoot = documents.get(config) ?? new Map<string, Document>();
    documents.set(config, byRoot);
    const routes = [...described, ...pluginRoutes(config.plugins)];
    const found = byRoot.get(root) ?? (await describe(root, config.BASE_URL, routes));
    byRoot.set(root, found);
    if (url.searchParams.get("format") === "openapi-json")
      return jsonText(found.json, { "content-type": "application/vnd.oai.openapi+json; charset=utf-8" });
    return { status: 200, headers: YAML_TYPE, body: found.yaml };
  };
  return [
    {
      method: "GET",
      path: "openapi",
      access: "public",
      types: ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json"],
      handle,
    },
  ];
}

interface Document {
  readonly json: string;
  readonly yaml: string;
}

async function describe(root: string, baseUrl: string | null, described: readonly Route[]): Promise<Document> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of described) (paths[pathOf(root, route)] ??= {})[route.method.toLowerCase()] = operation(route);
  const document = {
    openapi: "3.0.2",
    info: { title: "Camomilla", version: "1.0.0", description: `The content of ${baseUrl ?? "this site"}.` },
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <key>`, as POST token-auth/ gives it",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "sessionid",
          description: "Writes also need the header X-CSRFToken",
        },
      },
      schemas: {
        Error: { type: "object", properties: { detail: { type: "string" } } },
        ...Object.fromEntries(described.flatMap(({ record }) => (record ? [[record.name, schemaOf(record)]] : []))),
      },
    },
  };
  return { json: JSON.stringify(document), yaml: await yamlText(document) };
}

/** Path by path, since the whole takes a tenth of a second. */
async function yamlText(document: { readonly [key: string]: unknown; readonly paths: object }): Promise<string> {
  const pace = openPace();
  const { stringify } = await import("yaml"); // not with the module: a start would wait for it
  const entry = (key: string, value: unknown): string => stringify({ [key]: value }, { lineWidth: 0 });
  const paths: string[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    await pace();
    paths.push(entry(path, operations).replace(/^/gm, "  ").trimEnd());
  }
  return Object.entries(document)
    .map(([key, value]) => (key === "paths" ? `paths:\n${paths.join("\n")}\n` : entry(key, value)))
    .join("");
}

/** The routers, where the final slash matters, are shown without it; all other paths with it. */
function pathOf(root: string, { path }: Route): string {
  const shown = path.replace(/:(\w+)/g, "{$1}").replace("**", "{path}");
  return `${root}/${shown}${shown === "" || /^(pages-router|menus-router)/.test(shown) ? "" : "/"}`;
}

function operation({ method, path, access, record, webhook }: Route): object {
  const parameters = [...path.matchAll(/:(\w+)|\*\*/g)].map(([, name = "path"]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const schema = record ? { $ref: `#/components/schemas/${record.name}` } : {};
  const isWrite = method !== "GET" && method !== "DELETE";
  return {
    operationId: `${method.toLowerCase()}_${path.replace(/\W+/g, "_") || "root"}`,
    tags: [path.split("/")[0] || "root"],
    description: whoMay(access) + (webhook ? " Also for signed webhooks, without an account." : ""),
    ...(access !== "public" && { security: [{ token: [] }, { session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(isWrite && { requestBody: { content: { "application/json": { schema } } } }),
    responses: {
      [method === "DELETE" ? "204" : "200"]: { description: method === "DELETE" ? "Removed" : "Done" },
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function whoMay(access: Access): string {
  if (access === "public") return "For anyone.";
  if (access === "user") return "For any account.";
  if (access === "superuser") return "For superusers.";
  const needed = access.any ? ` with ${access.any.join(" or ")}` : "";
  return `For ${access.staff ? "staff" : "accounts"}${needed}.`;
}
