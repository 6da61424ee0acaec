/** The OpenAPI description: contract.md 11.9. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { API_ROUTES } from "../../src/http/app.ts";
import { ROUTER_ROUTES } from "../../src/http/routers.ts";
import { memorySite } from "../site.ts";

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
      expect(told).toHaveLength(API_ROUTES.length + ROUTER_ROUTES.length - 2); // without itself and the route for aliases only
      expect(told).toContain(`PATCH ${root}/pages/{id}/draft/`);
      expect(told).toContain(`GET ${root}/pages-router/changes`);
      const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((each) =>
        Object.values(each).map(({ operationId }) => operationId),
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
