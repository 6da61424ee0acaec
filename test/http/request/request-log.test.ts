/** The request log: one line for each response, whichever way it was made, and the id that an answer has. */
import { request as rawRequest } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads } from "../../../src/http/socket/direct.ts";
import { showResponse, type LoggedResponse } from "../../../src/http/request/request-log.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";

interface LoggedSite extends MemorySite {
  readonly url: string;
  readonly log: LoggedResponse[];
}

async function loggedSite(trustedProxies: readonly string[] = []): Promise<LoggedSite> {
  const site = await memorySite();
  const log: LoggedResponse[] = [];
  const { url, close } = await serveApp(() => nodeApp(site.cms), {
    direct: directReads(site.cms),
    host: "127.0.0.1",
    port: 0,
    env: site.cms.env,
    trustedProxies,
    log: (response) => log.push(response),
  });
  onTestFinished(close);
  return { ...site, url, log };
}

/** A response is logged when its connection has taken it all, which may be after the client has read it. */
const logged = (site: LoggedSite, count: number): Promise<void> =>
  expect
    .poll(() => site.log.length)
    .toBe(count)
    .then(() => undefined);

describe("each response", () => {
  it("is logged with method, path without query, status and the id it was sent with", async () => {
    const site = await loggedSite();
    await site.page({ title: "Fog", permalink: "/fog", autopermalink: false }, ["en"]);
    const ids: (string | null)[] = [];
    // The second answer is a cached one, which skips the app.
    for (const path of ["api/cms/pages-router/fog/", "api/cms/pages-router/fog/", "api/cms/pages/?token=secret"]) {
      const answer = await fetch(site.url + path);
      await answer.text();
      ids.push(answer.headers.get("x-request-id"));
    }
    await logged(site, 3);
    expect(new Set(ids).size).toBe(3);
    expect(site.log.map(({ id, method, path, status }) => [id, method, path, status])).toEqual([
      [ids[0], "GET", "/api/cms/pages-router/fog/", 200],
      [ids[1], "GET", "/api/cms/pages-router/fog/", 200],
      [ids[2], "GET", "/api/cms/pages/", 401],
    ]);
  });

  it("of an error has the id under which the log has the reason", async () => {
    const site = await loggedSite();
    writeTemplate(site, "defaults/pages/default.html", "{{ nothing() }}");
    await site.page({ title: "Fog", permalink: "/fog", autopermalink: false }, ["en"]);
    const answer = await fetch(`${site.url}fog/`);
    await answer.text();
    await logged(site, 1);
    expect(site.log[0]).toMatchObject({ id: answer.headers.get("x-request-id"), status: 500 });
    expect(site.logged.some((line) => line.includes(site.log[0]!.id))).toBe(true);
  });

  it("has no credentials of a target that is a whole address", async () => {
    const site = await loggedSite();
    const { port, host } = new URL(site.url);
    const targets = [
      `http://user:pass@${host}/fog/?q=1`,
      `HTTP://us%40er:p@ss@${host}/fog/`,
      `//user:pass@${host}/fog/`,
    ];
    for (const path of targets) {
      await new Promise((answered) => {
        rawRequest({ port, path, agent: false }, (answer) => answer.resume().on("end", answered)).end();
      });
    }
    await logged(site, 3);
    expect(site.log.map(({ path }) => path)).toEqual([`http://${host}/fog/`, `HTTP://${host}/fog/`, `//${host}/fog/`]);
  });

  it("that a client did not wait for is 499", async () => {
    const site = await loggedSite();
    const { port } = new URL(site.url);
    const headers = { "content-type": "application/json", "content-length": 100 };
    const request = rawRequest({ port, method: "POST", path: "/api/cms/token-auth/", headers });
    request.on("error", () => undefined);
    await new Promise((written) => request.write("{", written));
    request.destroy();
    await logged(site, 1);
    expect(site.log[0]!.status).toBe(499);
  });
});

describe("the id of a proxy", () => {
  it.each<[string, readonly string[], string, boolean]>([
    ["is kept", ["127.0.0.1"], "abc-123", true],
    ["is not, of an unknown address", [], "abc-123", false],
    ["is not, with other characters", ["127.0.0.1"], "a b{}", false],
    ["is not, when too long", ["127.0.0.1"], "x".repeat(129), false],
  ])("%s", async (_case, proxies, id, isKept) => {
    const site = await loggedSite(proxies);
    const answer = await fetch(`${site.url}healthz`, { headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id") === id).toBe(isKept);
  });
});

describe("a line", () => {
  const response = {
    time: "2026-03-01T12:34:56.000Z",
    id: "1",
    method: "GET",
    path: "/a\n\u001b[31m/",
    status: 200,
    ms: 3.25,
  };
  it("for people has no control characters", () =>
    expect(showResponse(response, "human")).toBe("12:34:56 200 GET   /a\\n\\u001b[31m/ 3.3 ms"));
  it("of JSON has everything", () =>
    expect(JSON.parse(showResponse(response, "json"))).toEqual({ level: "info", ...response }));
});
