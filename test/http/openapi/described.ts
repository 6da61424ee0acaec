/** Holds the answers of a site against its own description: status, media type, headers and body, with ajv. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { OpenApi, OpenApiOperation, OpenApiResponse } from "../../../src/http/openapi/document.ts";
import type { Answer, AskOptions, TestSite } from "../../site.ts";

export interface Described {
  readonly document: OpenApi;
  /** `GET /api/cms/pages/{id}/ 200`: the answers that were checked. */
  readonly seen: ReadonlySet<string>;
  /** A request whose answer must be as described; with JSON that is accepted, the body too. */
  ask: TestSite["ask"];
  /** Checks an answer. @param path below the site's root, with its query */
  check(method: string, path: string, answer: Answer, sent?: AskOptions): void;
}

export type Asked = Pick<TestSite, "ask">;

const API = "/api/cms/";

export async function described(site: Asked): Promise<Described> {
  const document = (await site.ask("GET", `${API}openapi.json`)).body as OpenApi;
  const seen = new Set<string>();
  const validator = openValidator(document);
  const check: Described["check"] = (method, path, answer, sent) => {
    const what = `${method} ${path} -> ${answer.status} ${answer.text.slice(0, 2000)}`;
    const place = placeOf(document, method, path);
    expect(place, what).toBeDefined();
    const { template, operation } = place!;
    const at = ["paths", template, method.toLowerCase()];
    const response = responseOf(document, operation, answer.status);
    expect.soft(response, `not described: ${what}`).toBeDefined();
    if (!response) return;
    seen.add(`${method} ${template} ${answer.status}`);
    checkBody(answer, response, what, (type) =>
      validator(...locationOf(at, operation, answer.status), "content", type, "schema"),
    );
    for (const name of Object.keys(response.headers ?? {}))
      if (name !== "Retry-After") expect.soft(answer.headers.get(name), `${name} of ${what}`).not.toBeNull();
    const json = operation.requestBody?.content["application/json"];
    if (answer.status >= 300 || typeof sent?.body !== "object" || !json || sent.body instanceof Uint8Array) return;
    const isValid = validator(...at, "requestBody", "content", "application/json", "schema");
    expect
      .soft(isValid(sent.body) ? [] : isValid.errors, `the body ${JSON.stringify(sent.body)} of ${what}`)
      .toEqual([]);
  };
  return {
    document,
    seen,
    check,
    async ask(method, path, options) {
      const answer = await site.ask(method, path, options);
      check(method, path.replace(/^api:/, API), answer, options);
      return answer;
    },
  };
}

function checkBody(
  answer: Answer,
  response: OpenApiResponse,
  what: string,
  validatorOf: (type: string) => ValidateFunction,
): void {
  const type = answer.headers.get("content-type")?.split(";")[0];
  if (!response.content) return expect(answer.text, what).toBe("");
  expect.soft(Object.keys(response.content), what).toContain(type);
  if (type !== "application/json") return;
  const isValid = validatorOf(type);
  expect.soft(isValid(answer.body) ? [] : isValid.errors?.slice(0, 8), what).toEqual([]);
}

/** The template and operation for a request: fixed segments come before parameters. */
function placeOf({ paths }: OpenApi, method: string, path: string) {
  const asked = path.replace(/\?.*/s, "");
  const found = Object.keys(paths)
    .filter((template) => patternOf(template).test(asked) && method.toLowerCase() in paths[template]!)
    .sort((a, b) => a.split("{").length - b.split("{").length || b.length - a.length)[0];
  return found === undefined ? undefined : { template: found, operation: paths[found]![method.toLowerCase()]! };
}

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
      .replace("/{path}", "(/.*)?")
      .replace(/\{\w+\}/g, "[^/]+")
      .replace(/\/$/, "/?")}$`,
  );

/** Where the answer of a status is in the document. */
function locationOf(at: readonly string[], operation: OpenApiOperation, status: number): readonly string[] {
  const response = operation.responses[status];
  return response && "$ref" in response ? response.$ref.slice(2).split("/") : [...at, "responses", String(status)];
}

function responseOf(document: OpenApi, operation: OpenApiOperation, status: number): OpenApiResponse | undefined {
  const response = operation.responses[status];
  if (!response || !("$ref" in response)) return response;
  const name = response.$ref.split("/").at(-1)!;
  return (document.components.responses as { readonly [name: string]: OpenApiResponse })[name];
}

/** Validators of the schemas in a document, by their place in it. */
export function openValidator(document: OpenApi): (...at: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "api");
  const known = new Map<string, ValidateFunction>();
  return (...at) => {
    const pointer = at.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const made = known.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    known.set(pointer, made);
    return made;
  };
}
