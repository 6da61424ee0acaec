/**
 * The description of the API of a site as an OpenAPI 3.1 document, from the table of routes and the schemas of the site.
 *
 * What follows from a route is not declared again: who may call it, its parameters in the path, and how it refuses.
 */
import { componentsOf } from "../../schema/components/components.ts";
import { exampleOf } from "../../schema/example.ts";
import { listOf, record, ref, refName, type Schema, type Schemas } from "../../schema/json-schema.ts";
import type { SiteShape } from "../../schema/site-shape.ts";
import { PROGRAM } from "../../version.ts";
import type { Access, Route } from "../app/route.ts";
import type { Operation, Parameter, Shape } from "./operation.ts";
import { conditionOf, PATH_PARAMETERS, queryOf } from "./parameters.ts";
import { refusalsOf, REFUSALS } from "./refusals.ts";

/** An OpenAPI document, as JSON. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } };
  readonly components: {
    readonly securitySchemes: object;
    readonly responses: object;
    readonly examples: { readonly [name: string]: { readonly value: unknown } };
    readonly schemas: Schemas;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly description: string; readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: OpenApiResponse | { readonly $ref: string } };
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

type Content = {
  readonly [type: string]: { readonly schema: Schema; readonly examples?: object; readonly example?: unknown };
};

const JSON_MEDIA = "application/json";

/** @param root path of the root that is described @param baseUrl its scheme and host; null: relative to the document */
export function describeApi(site: SiteShape, routes: readonly Route[], root: string, baseUrl: string | null): OpenApi {
  const schemas = componentsOf(site);
  const used = new Set<string>();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes)
    (paths[pathOf(root, route)] ??= {})[route.method.toLowerCase()] = operationOf(route, site, used);
  const tags = [...new Set(["public-site", ...routes.map(tagOf)])].map((name) => ({ name }));
  return {
    openapi: "3.1.0",
    info: {
      title: PROGRAM.name,
      version: PROGRAM.version,
      description: `The content of ${baseUrl ?? "this site"}, with its own page models and content types.`,
    },
    servers: [{ url: baseUrl ?? "/" }],
    tags,
    paths,
    components: {
      securitySchemes: SECURITY,
      responses: REFUSALS,
      examples: Object.fromEntries([...used].map((name) => [name, { value: exampleOf(ref(name), schemas) }])),
      schemas,
    },
  };
}

const SECURITY = {
  token: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token <key>`, as POST token-auth/ gives it",
  },
  session: { type: "apiKey", in: "cookie", name: "sessionid", description: "Writes also need the header X-CSRFToken" },
};

/** The routers, where the final slash matters, and files are shown without it; all other paths with it. */
function pathOf(root: string, { path }: Route): string {
  const shown = path.replace(/:(\w+)/g, "{$1}").replace("**", "{path}");
  return `${root}/${shown}${shown === "" || /^(pages-router|menus-router)|\.json$/.test(shown) ? "" : "/"}`;
}

const under = (tag: string, ...segments: readonly string[]) =>
  Object.fromEntries(segments.map((segment) => [segment, tag]));

/** Subjects of paths whose first segment is not one. */
const TAGS: { readonly [segment: string]: string } = {
  ...under("public-site", "pages-router", "pages-router-preview", "menus-router"),
  ...under("accounts", "users", "profiles", "permissions", "token-auth", "auth"),
  ...under("media", "media-folder", "media-folders"),
  ...under("pages", "page-models", "page-tree", "templates", "autosaves"),
  ...under("sync-and-hooks", "sync", "conflicts", "hooks"),
  ...under("service", "", "languages", "sitemap", "openapi", "openapi.json", "docs"),
};

const tagOf = ({ path }: Route): string => {
  const [first = ""] = path.split("/");
  return TAGS[first] ?? first;
};

/** @param used receives the names of the schemas whose examples are used */
function operationOf(route: Route, { codes }: SiteShape, used: Set<string>): OpenApiOperation {
  const { method, path, access, operation, webhook } = route;
  const isRead = method === "GET";
  const condition = conditionOf(operation, isRead);
  const parameters = [
    ...[...path.matchAll(/:(\w+)|\*\*/g)].map(([, name = "path"]) => {
      const { description, ...schema } = operation.path?.[name] ?? PATH_PARAMETERS[name] ?? { type: "string" };
      return { name, in: "path", required: true, ...(description !== undefined && { description }), schema };
    }),
    ...queryOf(operation, isRead, codes).map(queryParameter),
    ...(condition ? [{ ...condition, in: "header" }] : []),
  ];
  const body = bodyOf(operation, used);
  const whoMay = accessText(access) + (webhook ? " Also for signed webhooks, without an account." : "");
  return {
    operationId: `${method.toLowerCase()}_${path.replace(/\W+/g, "_") || "root"}`,
    tags: [tagOf(route)],
    summary: operation.summary,
    description: [operation.description, whoMay].filter(Boolean).join("\n\n"),
    ...(access !== "public" && { security: [{ token: [] }, { session: [] }] }),
    ...(parameters.length > 0 && { parameters: parameters as OpenApiOperation["parameters"] }),
    ...(body && { requestBody: body }),
    responses: {
      ...successOf(route, used),
      ...(webhook && {
        202: { description: "Accepted, of a webhook.", content: { [JSON_MEDIA]: contentOf("Detail", used) } },
      }),
      ...(isRead && condition && { 304: { description: "The client has the current version." } }),
      ...refusalsOf(route),
    },
  };
}

const queryParameter = ({ name, description, schema, isRequired, isRepeated }: Parameter) => ({
  name,
  in: "query",
  ...(isRequired && { required: true }),
  description,
  ...(isRepeated ? { schema: listOf(schema), explode: true } : { schema }),
});

/** What is read beside that which the schemas say, which are strict so that programs send what is meant. */
const LENIENCE =
  "Where a text is expected, a number is read as its text; where null may be sent, an empty text is read as null. " +
  "Where no key is needed, a body that is not an object is read as an empty one.";

function bodyOf(operation: Operation, used: Set<string>): OpenApiOperation["requestBody"] {
  const { body, form, isBodyOptional } = operation;
  if (body === undefined && form === undefined) return undefined;
  return {
    description: LENIENCE,
    required: !isBodyOptional,
    content: {
      ...(body !== undefined && { [JSON_MEDIA]: contentOf(body, used) }),
      ...(form !== undefined && { "multipart/form-data": { schema: schemaOf(form) } }),
    },
  };
}

function successOf({ method, operation }: Route, used: Set<string>): OpenApiOperation["responses"] {
  const { answer, isList, isVersioned, isConditional, type = JSON_MEDIA } = operation;
  const { status = answer === undefined ? 204 : 200 } = operation;
  if (status === 302) return { 302: { description: "Moved.", headers: { Location: { schema: { type: "string" } } } } };
  const description = SUCCESS[status];
  if (answer === undefined) return { [status]: { description } };
  const hasETag = isVersioned || (isConditional && method === "GET");
  return {
    [status]: {
      description,
      ...(hasETag && { headers: { ETag: { description: "The version.", schema: { type: "string" } } } }),
      content: { [type]: isList ? { schema: listAnswer(schemaOf(answer)) } : contentOf(answer, used) },
    },
  };
}

const SUCCESS = {
  200: "Done.",
  201: "Created.",
  202: "Accepted.",
  204: "Done; there is no content.",
} as const;

const listAnswer = (item: Schema): Schema => ({
  anyOf: [
    { ...listOf(item), description: "All records that match." },
    record({ items: listOf(item), paginator: ref("Paginator") }, { description: "One page of them, with `items`." }),
  ],
});

const schemaOf = (shape: Shape): Schema => (typeof shape === "string" ? ref(shape) : shape);

function contentOf(shape: Shape, used: Set<string>): Content[string] {
  const schema = schemaOf(shape);
  const name = refName(schema) ?? refName((schema.items as Schema | undefined) ?? {});
  if (name === undefined || schema.type === "array") return { schema };
  used.add(name);
  return { schema, examples: { example: { $ref: `#/components/examples/${name}` } } };
}

/** Who may call a route, in a sentence. */
function accessText(access: Access): string {
  if (access === "public") return "For anyone.";
  if (access === "user") return "For any account.";
  if (access === "superuser") return "For superusers.";
  const needed = access.any ? ` with ${access.any.map((each) => `\`${each}\``).join(" or ")}` : "";
  return `For ${access.staff ? "staff" : "accounts"}${needed}.`;
}
