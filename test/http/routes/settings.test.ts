import { expect, it } from "vitest";
import { memorySite } from "../../site.ts";

it("a superuser reads every setting with where it comes from, and no query of a listener's address", async () => {
  const HOOKS = [{ URL: "https://example.org/build?key=secret" }] as never;
  const { ask } = await memorySite({}, { ROUTER_CACHE: 5, HOOKS });
  const { status, body, text } = await ask("GET", "api:settings/", { as: "superuser" });
  expect(status).toBe(200);
  expect(body).toContainEqual({ setting: "ROUTER_CACHE", value: 5, from: "The settings", help: expect.any(String) });
  expect(body).toContainEqual({ setting: "APPEND_SLASH", value: true, from: null, help: expect.any(String) });
  expect(text).toContain("https://example.org/build?…");
  expect(text).not.toContain("key=secret");
  expect((await ask("GET", "api:settings/", { as: "staff" })).status).toBe(403);
});
