/** `/metrics`: who may read it, and what it says. */
import { createHistogram } from "node:perf_hooks";
import { expect, it, onTestFinished } from "vitest";
import { h3App } from "../../src/http/app.ts";
import { openMetrics } from "../../src/http/metrics.ts";
import { serveApp } from "../../src/http/serve.ts";
import type { SettingsInput } from "../../src/config.ts";
import { memorySite, type TestSite } from "../site.ts";

/** @returns the status (302: the path is that of a page) and the text that a client at an address gets */
async function scrape(
  { cms }: TestSite,
  { from = "127.0.0.1", headers = {} }: { readonly from?: string; readonly headers?: Record<string, string> } = {},
): Promise<readonly [number, string]> {
  const metrics = openMetrics();
  onTestFinished(() => metrics.close());
  const request = Object.assign(new Request("http://localhost:8000/metrics", { headers }), { ip: from });
  const answer = await h3App(cms, { metrics }).request(request);
  return [answer.status, await answer.text()];
}

it.each<[name: string, settings: SettingsInput, from: string, headers: Record<string, string>, status: number]>([
  ["this machine", {}, "127.0.0.1", {}, 200],
  ["this machine by IPv6", {}, "::1", {}, 200],
  ["this machine on a socket of both", {}, "::ffff:127.0.0.1", {}, 200],
  ["another machine", {}, "192.0.2.7", {}, 302],
  ["another machine that says it is this one", {}, "192.0.2.7", { "x-forwarded-for": "127.0.0.1" }, 302],
  ["an unknown proxy", {}, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" }, 302],
  ["an unknown proxy for this machine", {}, "127.0.0.1", { via: "1.1 proxy" }, 302],
  [
    "a client of a known proxy",
    { TRUSTED_PROXIES: ["127.0.0.1"] },
    "127.0.0.1",
    { "x-forwarded-for": "192.0.2.7" },
    302,
  ],
  [
    "a client that lies to a known proxy",
    { TRUSTED_PROXIES: ["127.0.0.1"] },
    "127.0.0.1",
    { "x-forwarded-for": "127.0.0.1, 192.0.2.7" },
    302,
  ],
  ["a machine in METRICS_CLIENTS", { METRICS_CLIENTS: ["192.0.2.0/24"] }, "192.0.2.7", {}, 200],
  [
    "a machine in it behind a known proxy",
    { METRICS_CLIENTS: ["192.0.2.7"], TRUSTED_PROXIES: ["10.0.0.1"] },
    "10.0.0.1",
    { "x-forwarded-for": "192.0.2.7" },
    200,
  ],
  ["this machine, not in it", { METRICS_CLIENTS: ["192.0.2.0/24"] }, "127.0.0.1", {}, 302],
  ["a host that is not served", { ALLOWED_HOSTS: ["example.org"] }, "127.0.0.1", { host: "[::1]:8000" }, 200],
  ["an unknown proxy that passes the name on alone", {}, "127.0.0.1", { host: "example.org" }, 302],
  ["an unknown proxy that names the scheme alone", {}, "127.0.0.1", { "x-forwarded-proto": "https" }, 302],
  [
    "a machine in METRICS_CLIENTS, by a name",
    { METRICS_CLIENTS: ["192.0.2.0/24"] },
    "192.0.2.7",
    { host: "cms.example.org" },
    200,
  ],
])("answers %s", async (_, settings, from, headers, status) => {
  expect((await scrape(await memorySite({}, settings), { from, headers }))[0]).toBe(status);
});

it("is not there where no figures are kept", async () => {
  const site = await memorySite();
  expect((await site.ask("GET", "/metrics", { from: "127.0.0.1" })).status).toBe(302);
});

it("has lines of names, labels and numbers alone, each metric with its type", async () => {
  const [, text] = await scrape(await memorySite());
  const lines = text.trimEnd().split("\n");
  const typed = lines.flatMap((line) => /^# TYPE (\w+) (?:gauge|counter|histogram)$/.exec(line)?.[1] ?? []);
  expect(new Set(typed).size).toBe(typed.length);
  for (const line of lines.filter((each) => !each.startsWith("# "))) {
    expect(line).toMatch(/^\w+(\{\w+="[^"\\]*"\})? \d+(\.\d+)?(e[+-]\d+)?$/);
    expect(typed).toContain(/^\w+/.exec(line)![0].replace(/(?<=^cms_batch_commits)_(bucket|sum|count)$/, ""));
  }
});

it("counts writes, and the commits of a batch together", async () => {
  const site = await memorySite();
  const body = (name: string): object => ({ name });
  await Promise.all(["a", "b", "c"].map((name) => site.api("POST", "tags/", body(name))));
  const [, text] = await scrape(site);
  expect(text).toContain("\ncms_writes_total 3\n");
  expect(text).toContain("\ncms_commits_total 3\n");
  expect(text).toContain("\ncms_batch_commits_sum 3\n");
  const { batches } = site.cms.store.writeCounts;
  expect(text).toContain(`\ncms_batch_commits_count ${[...batches.values()].reduce((sum, times) => sum + times)}\n`);
  expect(text).toContain(`\ncms_batch_commits_bucket{le="1"} ${batches.get(1) ?? 0}\n`);
});

it("says the longest stall since the last scrape, without the interval it is measured at", async () => {
  const histogram = createHistogram();
  const delays = {
    get max() {
      return histogram.count === 0 ? 0 : histogram.max;
    },
    percentile: (share: number) => histogram.percentile(share),
    reset: () => histogram.reset(),
    disable: () => true,
  };
  const metrics = openMetrics(delays);
  const stall = async (): Promise<number> => {
    const text = await metrics.text({ writes: 0, batches: new Map() });
    return Number(/^cms_event_loop_stall_max_seconds (.+)$/m.exec(text)![1]);
  };
  for (const milliseconds of [10, 85, 12]) histogram.record(milliseconds * 1e6);
  expect(await stall()).toBeCloseTo(0.075, 3);
  expect(await stall()).toBe(0);
});

it("counts the responses and connections of its server", async () => {
  const { cms } = await memorySite();
  const metrics = openMetrics();
  const { url, close } = await serveApp(h3App(cms, { metrics }), { host: "127.0.0.1", port: 0, metrics });
  onTestFinished(async () => {
    metrics.close();
    await close();
  });
  const ask = async (path: string): Promise<string> =>
    (await fetch(url + path, { headers: { connection: "close" } })).text();
  await ask("api/cms/languages/");
  await ask("nothing/");
  const text = await ask("metrics");
  expect(text).toMatch(/^cms_connections [1-9]/m);
  expect(text).toContain('\ncms_responses_total{class="2xx"} 1\n');
  expect(text).toContain('\ncms_responses_total{class="4xx"} 1\n');
});
