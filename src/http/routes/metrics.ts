/**
 * `/metrics`: figures of the running process and of its site, in the text format of Prometheus.
 *
 * Only counts, sizes and times: no paths, titles or names.
 */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay, type IntervalHistogram } from "node:perf_hooks";
import type { Server } from "node:http";
import { promisify } from "node:util";
import { CmsError } from "../../errors.ts";
import { msOf } from "../../model/time/instant.ts";
import { scheduleAt } from "../../store/content/indexes/page-index.ts";
import { dueReleaseCount } from "../../store/content/indexes/releases.ts";
import type { SyncStatus } from "../../store/sync/sync-service.ts";
import { TIME_BOUNDS, type WriteCounts } from "../../store/write/write-counts.ts";
import { isAddressOrLocalhost } from "../socket/authority.ts";
import type { ConnectionFigures } from "../socket/connections.ts";
import { isInNetworks } from "../request/origin.ts";
import { principalOf } from "../request/principal.ts";
import { counter, gauge, histogram, histogramOf, PROMETHEUS_TYPE, type Sample } from "../request/prometheus.ts";
import type { Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

/** The figures of one server. */
export interface Metrics {
  /** Counts the connections of the server from now on. @param figures what they hold */
  observe(server: Server, figures: () => ConnectionFigures): void;
  /** Counts a response that was sent. */
  countResponse(status: number): void;
  /** Counts an answer of the public router that can be cached. */
  countRouterAnswer(isFromCache: boolean): void;
  /** The event loop's figures are those since the last call. */
  text(site: SiteFigures): Promise<string>;
  close(): void;
}

/** What the site itself is asked for when the metrics are read. */
export interface SiteFigures {
  readonly writes: WriteCounts;
  /** In the tree, and templates that failed when they were last used. */
  readonly problems: number;
  readonly failingTemplates: number;
  /** Drafts and releases that are due and not published, and for how many seconds the oldest of them has been. */
  readonly dueDrafts: number;
  readonly dueReleases: number;
  readonly oldestDueSeconds: number;
  /** Present on a server that synchronises. */
  readonly sync: SyncStatus | undefined;
}

type Delays = Pick<IntervalHistogram, "max" | "percentile" | "reset" | "disable">;

/** How often the event loop's delay is measured. A measured interval includes it. */
const RESOLUTION_MS = 10;
const QUANTILES = [0.5, 0.9, 0.99];
/** Upper bounds of the numbers of commits in a batch. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128];

/** @param delays intervals of `RESOLUTION_MS` and the event loop's delay, in nanoseconds */
export function openMetrics(delays: Delays = eventLoopDelays()): Metrics {
  const responses = new Map(["1xx", "2xx", "3xx", "4xx", "5xx"].map((statusClass) => [statusClass, 0]));
  const routerAnswers = { hit: 0, miss: 0 };
  let connectionMetrics: (() => Promise<readonly string[]>) | undefined;
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  return {
    observe(server, figures) {
      const count = promisify(server.getConnections.bind(server));
      connectionMetrics = async () => metricsOfConnections(await count(), figures());
    },
    countResponse(status) {
      const statusClass = `${Math.floor(status / 100)}xx`;
      responses.set(statusClass, (responses.get(statusClass) ?? 0) + 1);
    },
    countRouterAnswer: (isFromCache) => void routerAnswers[isFromCache ? "hit" : "miss"]++,
    async text(site) {
      const stall = seconds(delays.max);
      const quantiles = QUANTILES.map((q): Sample => [`{quantile="${q}"}`, seconds(delays.percentile(q * 100))]);
      delays.reset();
      return [
        gauge("cms_event_loop_stall_max_seconds", "Longest stall of the event loop since the last scrape.", stall),
        gauge("cms_event_loop_delay_seconds", "Delay of the event loop since the last scrape.", quantiles),
        ...processMetrics(),
        ...((await connectionMetrics?.()) ?? []),
        counter("cms_responses_total", "Responses sent, by class of status.", labelled("class", responses)),
        counter(
          "cms_router_answers_total",
          "Answers of pages-router that can be cached: from the cache (hit), or made (miss).",
          labelled("cache", Object.entries(routerAnswers)),
        ),
        ...writeMetrics(site.writes),
        ...contentMetrics(site),
        ...(site.sync ? syncMetrics(site.sync) : []),
      ].join("");
    },
    close: () => void delays.disable(),
  };
}

const labelled = (label: string, values: Iterable<readonly [name: string, value: number]>): readonly Sample[] =>
  Array.from(values, ([name, value]) => [`{${label}="${name}"}`, value]);

const metricsOfConnections = (open: number, { requests, unreadBytes, closed }: ConnectionFigures) => [
  gauge("cms_connections", "Open connections.", open),
  gauge("cms_requests", "Requests whose answers have not left yet.", requests),
  gauge("cms_unread_bytes", "Answers that clients have not read, and input that waits for them.", unreadBytes),
  counter(
    "cms_connections_closed_total",
    "Connections closed because a limit was exceeded.",
    labelled("limit", closed),
  ),
];

function processMetrics(): readonly string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return [
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("nodejs_heap_size_used_bytes", "Memory used by the JavaScript heap.", heapUsed),
    gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap.", external),
    gauge(
      "process_open_fds",
      "Open descriptors, of files and connections; 0 where the system does not say.",
      openDescriptors(),
    ),
    counter("process_cpu_seconds_total", "Processor time.", (user + system) / 1e6),
  ];
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0; // not Linux
  }
}

function writeMetrics({ writes, waiting, batches, commitTimes }: WriteCounts): readonly string[] {
  const commits = [...batches].reduce((sum, [size, times]) => sum + size * times, 0);
  const sizes = Array.from({ length: BATCH_BOUNDS.length + 1 }, () => 0);
  for (const [size, times] of batches) {
    const at = BATCH_BOUNDS.findIndex((bound) => size <= bound);
    sizes[at === -1 ? BATCH_BOUNDS.length : at]! += times;
  }
  return [
    counter("cms_writes_total", "Writes acknowledged.", writes),
    gauge("cms_writes_waiting", "Writes that wait or are being made.", waiting),
    counter("cms_commits_total", "Commits made.", commits),
    histogram(
      "cms_batch_commits",
      "Commits that were made durable together.",
      histogramOf(BATCH_BOUNDS, sizes, commits),
    ),
    histogram(
      "cms_commit_seconds",
      "Time until the commits of a batch were durable.",
      histogramOf(TIME_BOUNDS, commitTimes.counts, commitTimes.sum),
    ),
  ];
}

const contentMetrics = ({
  problems,
  failingTemplates,
  dueDrafts,
  dueReleases,
  oldestDueSeconds,
}: SiteFigures): readonly string[] => [
  gauge("cms_problems", "Files of the tree that do not load, as `cms check` names them.", problems),
  gauge("cms_failing_templates", "Templates that failed when they were last used.", failingTemplates),
  gauge("cms_due_drafts", "Drafts that are due and not published.", dueDrafts),
  gauge("cms_due_releases", "Releases that are due and not published.", dueReleases),
  gauge(
    "cms_oldest_due_draft_seconds",
    "For how long the oldest of these drafts and releases has been due.",
    oldestDueSeconds,
  ),
];

/** Without the counts that are not known before the first fetch. */
const syncMetrics = ({ ahead, behind, failing_seconds, last_success }: SyncStatus): readonly string[] => [
  ...(ahead === null ? [] : [gauge("cms_sync_ahead_commits", "Commits that the remote lacks.", ahead)]),
  ...(behind === null ? [] : [gauge("cms_sync_behind_commits", "Commits of the remote not here.", behind)]),
  gauge(
    "cms_sync_failing_seconds",
    "For how long every sync has failed; 0 when the last one succeeded.",
    failing_seconds,
  ),
  ...(last_success === null
    ? []
    : [gauge("cms_sync_last_success_timestamp_seconds", "When the last sync succeeded.", msOf(last_success) / 1000)]),
];

function eventLoopDelays(): IntervalHistogram {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return delays;
}

const FORWARDED = [
  ...["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"],
];
const THIS_MACHINE = ["127.0.0.0/8", "::1"];

/**
 * Whether a request may read the metrics: from an address in `METRICS_CLIENTS`, or by an account of the staff.
 *
 * A proxy that is not in `TRUSTED_PROXIES` has its own address, which says nothing about the client: its requests need an
 * account. One on this machine may add no header, but passes on the name that the client asked for. A wrong token is no error,
 * since the page at this path, if there is one, is public.
 */
export async function mayReadMetrics(call: Call): Promise<boolean> {
  if (isFromClientOfMetrics(call)) return true;
  try {
    const { user } = await principalOf(call.ctx, call.headers, true);
    return user?.is_staff === true;
  } catch (error) {
    if (error instanceof CmsError && error.code === "unauthenticated") return false;
    throw error;
  }
}

function isFromClientOfMetrics({ ctx, headers, address, peer, url }: Call): boolean {
  if (!isInNetworks(ctx.config.METRICS_CLIENTS, address)) return false;
  if (address === peer && FORWARDED.some((name) => headers.has(name))) return false;
  return !isInNetworks(THIS_MACHINE, address) || isAddressOrLocalhost(headers.get("host") ?? url.host);
}

export async function metricsReply({ ctx, now }: Call, metrics: Metrics): Promise<Reply> {
  const drafts = scheduleAt(ctx.store.current, now);
  const releases = dueReleaseCount(ctx.store.current, now);
  const [oldest] = [drafts.oldest, releases.oldest].filter((moment) => moment !== undefined).sort();
  const body = await metrics.text({
    writes: ctx.store.writeCounts,
    problems: ctx.store.current.problems.length,
    failingTemplates: ctx.templates.failing.size,
    dueDrafts: drafts.due,
    dueReleases: releases.due,
    oldestDueSeconds: oldest === undefined ? 0 : (msOf(now) - msOf(oldest)) / 1000,
    sync: await ctx.sync?.status(),
  });
  return { status: 200, headers: { "content-type": PROMETHEUS_TYPE, "cache-control": "no-store" }, body };
}
