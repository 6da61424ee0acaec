/** Generates requests from the description of a site's API, and holds every answer against the description. */
import type { ValidateFunction } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import type { OpenApiOperation } from "../../../src/http/openapi/document.ts";
import type { Answer, Role } from "../../site.ts";
import { described, openValidator, type Described } from "./described.ts";
import { fullSite } from "./full-site.ts";
import { readingsOf, sampleOf, wrongBodies, type Json } from "./samples.ts";

type Full = Awaited<ReturnType<typeof fullSite>>;

/** A success of these would end accounts or sessions that the walk uses. */
const NOT_WALKED = /\/(auth|token-auth|sync|kickout)\//;
const ROLES: readonly (Role | null)[] = [null, "reader", "staff", "superuser"];
/** What the service says of a value that has not the type, or not the keys, that it expects. */
const OF_SHAPE = /field is required|Not a valid|Unknown|Expected (a|an) (list|object|text|number|boolean)/;

interface Walked {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
  readonly schema: Json | undefined;
  readonly accepts: ValidateFunction | undefined;
}

/** Fields that take more than their schemas say: [path, field]. */
const LENIENT: readonly (readonly [RegExp, RegExp])[] = [
  // Null is the empty text of a block; the type of its page is read together with the page, whose field is named.
  [/\/contents\//, /^content(_|$)/],
  // The password's repetition is read beside a password only, and null are no permissions.
  [/\/users\//, /^(repassword|user_permissions)$/],
  // A draft may name what is not there: publishing refuses it.
  [/\/(addresses|preview|live-preview|render|draft)\//, /^(parent_page|og_image|highlight_image|author)$/],
];

const isLenient = ({ path }: Walked, place = ""): boolean =>
  LENIENT.some(([paths, fields]) => paths.test(path) && fields.test(place));

it("answers as described, whatever is sent", { timeout: 240_000 }, async () => {
  const full = await fullSite();
  const api = await described(full.site);
  const problems: string[] = [];
  let requests = 0;
  for (const walked of operationsOf(api, full)) {
    const { method, path, schema, accepts } = walked;
    const ask = async (as: Role | null, body?: unknown, query = ""): Promise<Answer> => {
      const json = { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      requests += 1;
      return api.ask(method, path + query, { as, ...(body !== undefined && json) });
    };
    const note = (problem: string, body: unknown, { status, text }: Answer): void => {
      problems.push(
        `${problem}: ${method} ${path} ${JSON.stringify(body).slice(0, 300)}: ${status} ${text.slice(0, 300)}`,
      );
    };
    const good = schema && withIds(sampleOf(schema, api.document), full);
    let isGood = false;
    for (const as of ROLES) {
      const answer = await ask(as, good);
      isGood = answer.status < 400;
      if (accepts?.(good) && answer.status === 400 && OF_SHAPE.test(answer.text))
        note("refused for its shape", good, answer);
    }
    if (method === "GET") for (const query of queriesOf(walked)) await ask("superuser", undefined, query);
    if (!schema || !accepts) continue;
    expect(accepts(good), `a sample for ${method} ${path}: ${JSON.stringify(good)}`).toBe(true);
    for (const { body, place } of wrongBodies(schema, good, api.document)) {
      const answer = await ask("superuser", body);
      if ([body, ...readingsOf(body, place)].some((each) => accepts(each))) continue;
      if (isLenient(walked, place)) continue;
      if (answer.status < 400) note("is accepted", body, answer);
      // What is no JSON that the service takes (too deep, half a character) is refused before it has fields.
      else if (
        answer.status === 400 &&
        isGood &&
        place &&
        !answer.text.includes("JSON parse error") &&
        !answer.text.includes(place)
      )
        note(`does not name ${place}`, body, answer);
    }
  }
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(3000);
});

it("is described anew as soon as a content type or its fields changed", { timeout: 60_000 }, async () => {
  const { site } = await fullSite();
  const read = async (headers: Record<string, string> = {}): Promise<Answer> =>
    site.ask("GET", "api:openapi.json", { headers });
  const before = await read();
  const type = { key: "price", name: "Price", schema: [{ name: "amount" }] };
  const { body: made } = await site.ask("POST", "api:meta-types/", { as: "superuser", body: type });
  const known = { "if-none-match": before.headers.get("etag") ?? "none" };
  const after = await read(known);
  expect([after.status, after.text.includes('"amount"')]).toEqual([200, true]);
  expect(after.headers.get("cache-control") ?? "no-cache").toMatch(/no-cache|no-store|max-age=0/);
  const schema = [{ name: "sum_in_cents" }];
  const changed = await site.ask("PATCH", `api:meta-types/${made.id}/`, { as: "superuser", body: { schema } });
  expect(changed.status).toBe(200);
  for (const path of ["openapi.json", "openapi/", "openapi/?format=openapi-json", "docs/"])
    expect((await site.ask("GET", `api:${path}`)).text, path).toContain("sum_in_cents");
  await site.ask("DELETE", `api:meta-types/${made.id}/`, { as: "superuser" });
  expect((await read()).text).not.toContain("sum_in_cents");
});

/** Every operation, with ids of records that the site has. */
function operationsOf({ document }: Described, full: Full): Walked[] {
  const validator = openValidator(document);
  const walks = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods)
      .filter(() => !NOT_WALKED.test(template))
      .map((method) => {
        const content = methods[method]!.requestBody?.content["application/json"];
        const at = ["paths", template, method, "requestBody", "content", "application/json", "schema"];
        return {
          method: method.toUpperCase(),
          path: pathOf(template, full),
          operation: methods[method]!,
          schema: content?.schema,
          accepts: content && validator(...at),
        };
      }),
  );
  // Deletions come last, so that what they delete has been asked for.
  const isDeletion = ({ method, path }: Walked): number => Number(method === "DELETE" || path.includes("bulk_delete"));
  return walks.sort((a, b) => isDeletion(a) - isDeletion(b));
}

function pathOf(
  template: string,
  { page, article, room, tag, menu, block, media, folder, faq, user }: Awaited<ReturnType<typeof fullSite>>,
): string {
  const ids: Record<string, number> = {
    pages: page.id,
    articles: article.id,
    models: room.id,
    tags: tag.id,
    menus: menu.id,
    contents: block.id,
    media: media.id,
    "media-folder": folder.id,
    "media-folders": folder.id,
    "meta-types": 70,
    "meta-instances": faq.id,
    users: user.id,
    permissions: 1,
  };
  const [first = ""] = template.replace("/api/cms/", "").split("/");
  return template
    .replace(/\{id\}/g, String(ids[first] ?? 1))
    .replace("{key}", "main")
    .replace("block-types/{name}", "block-types/note")
    .replace("{model}", "room")
    .replace("{path}", "about-us/")
    .replace(/\{\w+\}/g, "1");
}

const VALUES = ["", "1", "-1", "abc", "1e308", "%00", "%ff", "'", "..", "a,b", "99999999999999999999"];

/** Each parameter of a read with some values that few of them take. */
const queriesOf = ({ operation: { parameters = [] } }: Walked): string[] =>
  parameters
    .filter((each) => each.in === "query")
    .flatMap(({ name }, at) => [0, 5].map((of) => `?${name}=${VALUES[(at + of) % VALUES.length]}`));

/** The sample, whose examples name a page 12, with a page that the site has. */
const withIds = (sample: unknown, { page }: Full): unknown =>
  JSON.parse(JSON.stringify(sample).replace(/(?<=:|\[)12\b/g, String(page.id)));
