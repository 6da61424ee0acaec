/** `Accept`: requests that exclude JSON are refused by the API. */
import { describe, expect, it } from "vitest";
import { accepts } from "../../../src/http/request/accept.ts";
import { memorySite } from "../../site.ts";

describe("accepts", () => {
  it.each([
    [null, true],
    ["", true],
    ["*/*", true],
    ["application/json", true],
    ["APPLICATION/JSON; charset=utf-8", true],
    ["application/*", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true], // a browser
    ["application/json, text/plain, */*", true],
    ["text/html;q=1, application/json;q=0.001", true],
    ["text/html", false],
    ["text/*, image/png", false],
    ["text/html, application/json;q=0", false],
    ["*/*, application/json;q=0", false],
    ["*/*;q=0", false],
    ["application/*;q=0, */*", false],
    ["application/vnd.api+json", false],
    ["json", true], // no media range: ignored
    ["it, ;;, /", true],
    ["application/json;q=x", true],
  ])("%s accepts JSON: %s", (header, expected) => {
    expect(accepts(header, "application/json")).toBe(expected);
  });

  it("takes linear time", () => {
    for (const part of ["a/b,", ",", ";", " ", "*/*;q=", "a/b;q=0;", "/"])
      expect(typeof accepts(part.repeat(100_000), "application/json")).toBe("boolean");
  });
});

describe("an Accept that excludes JSON", () => {
  it.each([
    ["GET", "api:languages/"],
    ["GET", "api:pages-router/about/"],
    ["GET", "api:pages/"],
    ["POST", "api:token-auth/"],
  ])("is 406 for %s %s", async (method, path) => {
    const { ask } = await memorySite();
    const answer = await ask(method, path, {
      headers: { accept: "text/html" },
      ...(method === "POST" && { body: {} }),
    });
    expect([answer.status, answer.body]).toEqual([406, { detail: "Could not satisfy the request Accept header." }]);
  });

  it("is accepted for other formats, and outside the API", async () => {
    const { ask, page } = await memorySite({ "templates/x.html": "", "content/pages/.gitkeep": "" });
    const { id } = await page({ title: "About" });
    const status = async (path: string, accept: string): Promise<number> =>
      (await ask("GET", path, { as: "staff", headers: { accept } })).status;
    expect(await status(`api:pages/${id}/render/`, "text/html")).not.toBe(406);
    expect(await status("api:openapi", "application/vnd.oai.openapi")).toBe(200);
    expect(await status("/sitemap.xml", "application/xml")).toBe(200);
    expect(await status("/healthz", "text/plain")).toBe(200);
  });
});
