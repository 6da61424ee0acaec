/** The OpenAPI description. */
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../src/http/public/routers.ts";
import type { OpenApi } from "../../src/http/openapi/document.ts";
import { memorySite } from "../site.ts";
import { openValidator } from "./openapi/described.ts";
import { fullSite } from "./openapi/full-site.ts";

describe("openapi", () => {
  it("is YAML, or equal JSON if requested", async () => {
    const { ask } = await memorySite();
    const yaml = await ask("GET", "api:openapi");
    expect([yaml.status, yaml.headers.get("content-type")]).toEqual([
      200,
      "application/vnd.oai.openapi; charset=utf-8",
    ]);
    const json = await ask("GET", "api:openapi/?format=openapi-json");
    expect(json.headers.get("content-type")).toMatch(/json/);
    expect(parse(yaml.text, { maxAliasCount: 0 })).toEqual(json.body);
    expect(json.body).toMatchObject({ openapi: "3.0.2", info: { title: "Camomilla", version: "1.0.0" } });
    const newer = await ask("GET", "api:openapi.json");
    expect([newer.headers.get("content-type"), newer.body.openapi]).toEqual([
      "application/json; charset=utf-8",
      "3.1.0",
    ]);
    expect(Object.keys(newer.body.paths)).toEqual(Object.keys(json.body.paths));
  });

  it("validates against the official schemas of OpenAPI 3.1 and 3.0", async () => {
    const { site } = await fullSite();
    for (const path of ["api:openapi.json", "api:openapi?format=openapi-json"]) {
      const { valid, errors } = await new Validator().validate((await site.ask("GET", path)).body);
      expect([path, valid, errors]).toEqual([path, true, undefined]);
    }
  });

  it("has examples that its schemas accept", async () => {
    const { site } = await fullSite();
    const document = (await site.ask("GET", "api:openapi.json")).body as OpenApi;
    const validator = openValidator(document);
    const names = Object.keys(document.components.examples);
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      const isValid = validator("components", "schemas", name);
      const { value } = document.components.examples[name]!;
      expect.soft([name, isValid(value) ? null : isValid.errors]).toEqual([name, null]);
    }
  });

  it("is documented: the page has every route, and what the guide names is there", async () => {
    const { site } = await fullSite();
    const { paths, components } = (await site.ask("GET", "api:openapi.json")).body as OpenApi;
    const page = await site.ask("GET", "api:docs/");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      expect(page.text).toContain(`id="${operation.operationId}"`);
      expect(operation.summary).not.toBe("");
    }
    const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
    const types = guide.split("## Types and clients")[1]!.split("## Schemas")[0]!;
    const named = [...types.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
    expect(named.length).toBeGreaterThan(15);
    for (const [, name] of named)
      expect([name, name! in components.schemas || name!.startsWith("Faq")]).toEqual([name, true]);
    for (const { name } of paths["/api/cms/pages/"]!.get!.parameters!)
      expect(guide).toMatch(new RegExp(`[?\`]${name}[=\`]`));
  });

  it("follows the page models and meta types", async () => {
    const site = await memorySite();
    const names = async (): Promise<string[]> =>
      Object.keys((await site.ask("GET", "api:openapi.json")).body.components.schemas);
    expect(await names()).not.toContain("FaqInstance");
    await site.api("POST", "meta-types/", { key: "faq", name: "FAQ", schema: [{ name: "question" }] });
    expect(await names()).toContain("FaqInstance");
  });

  it("is generated once, however its address is encoded", async () => {
    const { ask } = await memorySite();
    const first = await ask("GET", "api:openapi");
    const again = await ask("GET", "/%61pi/cms/openapi/");
    expect([again.status, again.text === first.text]).toEqual([200, true]);
  });

  it("has every route, below its own root", async () => {
    const { ask } = await memorySite({}, { API: { ALIASES: ["/api/camomilla"] } });
    for (const root of ["/api/cms", "/api/camomilla"]) {
      const { paths } = (await ask("GET", `${root}/openapi?format=openapi-json`)).body;
      const told = Object.entries<object>(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(told).toHaveLength(API_ROUTES.length + ROUTER_ROUTES.length - 1); // without the route for aliases only
      expect(told).toContain(`PATCH ${root}/pages/{id}/draft/`);
      expect(told).toContain(`GET ${root}/pages-router/changes`);
      const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((each) =>
        Object.values(each).map(({ operationId }) => operationId),
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

it("3.0 has no `nullable` without a type, where it would have no meaning", async () => {
  const { ask } = await memorySite();
  const { body } = await ask("GET", "api:openapi/?format=openapi-json");
  const wrong: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    if ("nullable" in node && !("type" in node) && !path.endsWith("properties")) wrong.push(path);
    for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
  };
  visit(body, "");
  expect(wrong).toEqual([]);
});
