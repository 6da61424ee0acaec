/** `/metrics`: who may read it, and what it says. */
import { readFileSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import { expect, it, onTestFinished } from "vitest";
import { h3App, nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads } from "../../../src/http/socket/direct.ts";
import { openMetrics, type SiteFigures } from "../../../src/http/routes/metrics.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";
import type { SettingsInput } from "../../../src/config.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import type { SyncService, SyncStatus } from "../../../src/store/sync/sync-service.ts";
import { openWriteCounter } from "../../../src/store/write/write-counts.ts";
import { memorySite, START, type Role, type TestSite } from "../../site.ts";
import { parsePrometheus } from "../../support/prometheus.ts";

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

it.each<[name: string, role: Role | null, authorization: string | undefined, status: number]>([
  ["staff", "staff", undefined, 200],
  ["a reader", "reader", undefined, 302],
  ["a wrong token", null, "Token 123", 302],
  ["no token", null, undefined, 302],
])("answers another machine with the token of %s", async (_, role, authorization, status) => {
  const site = await memorySite();
  const header = role === null ? authorization : `Token ${await site.token(role)}`;
  const headers = { "x-forwarded-for": "192.0.2.7", ...(header && { authorization: header }) };
  expect((await scrape(site, { from: "192.0.2.7", headers }))[0]).toBe(status);
});

it("is not there where no figures are kept", async () => {
  const site = await memorySite();
  expect((await site.ask("GET", "/metrics", { from: "127.0.0.1" })).status).toBe(302);
});

it("is in the text format of Prometheus, with all that an operator watches", async () => {
  const [, text] = await scrape(await memorySite());
  const metrics = parsePrometheus(text);
  expect([...metrics.keys()]).toEqual(
    expect.arrayContaining([
      "cms_event_loop_stall_max_seconds",
      "cms_responses_total",
      "cms_router_answers_total",
      "cms_writes_total",
      "cms_writes_waiting",
      "cms_commits_total",
      "cms_commit_seconds",
      "cms_problems",
      "cms_failing_templates",
      "cms_due_drafts",
      "cms_due_releases",
      "cms_oldest_due_draft_seconds",
    ]),
  );
});

it("is documented, metric by metric", async () => {
  const site = await memorySite();
  const status: SyncStatus = {
    ...{ remote: "origin/main", is_running: false, ahead: 2, behind: 3, failing_since: null, failing_seconds: 40 },
    ...{ last_success: START as Instant, last_error: null },
  };
  const sync = { status: async () => status } as unknown as SyncService;
  const [, text] = await scrape({ ...site, cms: { ...site.cms, sync } as typeof site.cms });
  const metrics = parsePrometheus(text);
  expect(metrics.get("cms_sync_behind_commits")?.samples).toEqual([
    { name: "cms_sync_behind_commits", labels: {}, value: 3 },
  ]);
  expect(metrics.get("cms_sync_failing_seconds")?.samples[0]?.value).toBe(40);
  expect(metrics.get("cms_sync_last_success_timestamp_seconds")?.samples[0]?.value).toBe(Date.parse(START) / 1000);
  const docs = readFileSync(new URL("../../../docs/monitoring.md", import.meta.url), "utf8");
  for (const name of metrics.keys()) expect(docs).toContain(`\`${name}\``);
});

it("says for how long the oldest due draft or release has not been published", async () => {
  const site = await memorySite();
  for (const minutes of [5, 10]) {
    const page = await site.page({ title_en: `In ${minutes}` }, ["en"]);
    await site.api("PATCH", `pages/${page.id}/draft/?language=en`, { title: "Later" });
    const publish_at = new Date(Date.parse(site.clock.now()) + minutes * 60_000).toISOString();
    await site.api("POST", `pages/${page.id}/schedule/?language=en`, { publish_at });
  }
  site.clock.tick(11 * 60_000);
  const metrics = parsePrometheus((await scrape(site))[1]);
  expect(metrics.get("cms_due_drafts")?.samples[0]?.value).toBe(2);
  expect(metrics.get("cms_oldest_due_draft_seconds")?.samples[0]?.value).toBe(360);

  const { id } = await site.page({ title_en: "Of a release" }, ["en"]);
  const publish_at = new Date(Date.parse(site.clock.now()) - 20 * 60_000).toISOString();
  await site.api("POST", "releases/", { name: "spring", publish_at, items: [{ page: id, action: "unpublish" }] });
  const again = parsePrometheus((await scrape(site))[1]);
  expect(["due_drafts", "due_releases"].map((name) => again.get(`cms_${name}`)?.samples[0]?.value)).toEqual([2, 1]);
  expect(again.get("cms_oldest_due_draft_seconds")?.samples[0]?.value).toBe(1200);
});

it("counts answers from the router cache, sent by h3 or directly", async () => {
  const site = await memorySite();
  await site.page({ title_en: "About" }, ["en"]);
  const metrics = openMetrics();
  const app = { metrics };
  const direct = directReads(site.cms, app);
  const { url, close } = await serveApp(() => nodeApp(site.cms, app), { host: "127.0.0.1", port: 0, metrics, direct });
  onTestFinished(async () => {
    metrics.close();
    await close();
  });
  for (let reads = 0; reads < 4; reads++) {
    const connection = reads % 2 === 0 ? "close" : "keep-alive";
    const answer = await fetch(`${url}api/cms/pages-router/about/`, { headers: { connection } });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const text = await (await fetch(`${url}metrics`, { headers: { connection: "close" } })).text();
  expect(text).toContain('\ncms_router_answers_total{cache="hit"} 3\n');
  expect(text).toContain('\ncms_router_answers_total{cache="miss"} 1\n');
  expect(text).toContain('\ncms_responses_total{class="2xx"} 4\n');
});

it("counts writes, and the commits of a batch together", async () => {
  const site = await memorySite();
  const body = (name: string): object => ({ name });
  await Promise.all(["a", "b", "c"].map((name) => site.api("POST", "tags/", body(name))));
  const [, text] = await scrape(site);
  expect(text).toContain("\ncms_writes_total 3\n");
  expect(text).toContain("\ncms_commits_total 3\n");
  expect(text).toContain("\ncms_batch_commits_sum 3\n");
  expect(text).toContain("\ncms_writes_waiting 0\n");
  const { batches } = site.cms.store.writeCounts;
  expect(text).toContain(`\ncms_batch_commits_count ${[...batches.values()].reduce((sum, times) => sum + times)}\n`);
  expect(text).toMatch(/^cms_commit_seconds_count [1-3]$/m);
  expect(text).toContain(`\ncms_batch_commits_bucket{le="1"} ${batches.get(1) ?? 0}\n`);
});

const NOTHING: SiteFigures = {
  writes: openWriteCounter().counts,
  ...{ problems: 0, failingTemplates: 0, dueDrafts: 0, dueReleases: 0, oldestDueSeconds: 0, sync: undefined },
};

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
    const text = await metrics.text(NOTHING);
    return Number(/^cms_event_loop_stall_max_seconds (.+)$/m.exec(text)![1]);
  };
  for (const milliseconds of [10, 85, 12]) histogram.record(milliseconds * 1e6);
  expect(await stall()).toBeCloseTo(0.075, 3);
  expect(await stall()).toBe(0);
});

it("counts the responses and connections of its server", async () => {
  const { cms } = await memorySite();
  const metrics = openMetrics();
  const { url, close } = await serveApp(() => nodeApp(cms, { metrics }), { host: "127.0.0.1", port: 0, metrics });
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
