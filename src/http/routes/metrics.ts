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
import { histogram, metric, PROMETHEUS_TYPE, type Sample } from "../request/prometheus.ts";
import type { Reply } from "../request/reply.ts";
import type { Call } from "../request/route.ts";

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
        metric(
          "cms_event_loop_stall_max_seconds",
          "gauge",
          "Longest stall of the event loop since the last scrape.",
          stall,
        ),
        metric("cms_event_loop_delay_seconds", "gauge", "Delay of the event loop since the last scrape.", quantiles),
        ...processMetrics(),
        ...((await connectionMetrics?.()) ?? []),
        metric("cms_responses_total", "counter", "Responses sent, by class of status.", labelled("class", responses)),
        metric(
          "cms_router_answers_total",
          "counter",
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
  metric("cms_connections", "gauge", "Open connections.", open),
  metric("cms_requests", "gauge", "Requests whose answers have not left yet.", requests),
  metric(
    "cms_unread_bytes",
    "gauge",
    "Answers that clients have not read, and input that waits for them.",
    unreadBytes,
  ),
  metric(
    "cms_connections_closed_total",
    "counter",
    "Connections closed because a limit was exceeded.",
    labelled("limit", closed),
  ),
];

function processMetrics(): readonly string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return [
    metric("process_resident_memory_bytes", "gauge", "Resident memory.", rss),
    metric("nodejs_heap_size_used_bytes", "gauge", "Memory used by the JavaScript heap.", heapUsed),
    metric("nodejs_external_memory_bytes", "gauge", "Memory of buffers outside the heap.", external),
    metric(
      "process_open_fds",
      "gauge",
      "Open descriptors, of files and connections; 0 where the system does not say.",
      openDescriptors(),
    ),
    metric("process_cpu_seconds_total", "counter", "Processor time.", (user + system) / 1e6),
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
    metric("cms_writes_total", "counter", "Writes acknowledged.", writes),
    metric("cms_writes_waiting", "gauge", "Writes that wait or are being made.", waiting),
    metric("cms_commits_total", "counter", "Commits made.", commits),
    metric(
      "cms_batch_commits",
      "histogram",
      "Commits that were made durable together.",
      histogram(BATCH_BOUNDS, sizes, commits),
    ),
    metric(
      "cms_commit_seconds",
      "histogram",
      "Time until the commits of a batch were durable.",
      histogram(TIME_BOUNDS, commitTimes.counts, commitTimes.sum),
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
  metric("cms_problems", "gauge", "Files of the tree that do not load, as `cms check` names them.", problems),
  metric("cms_failing_templates", "gauge", "Templates that failed when they were last used.", failingTemplates),
  metric("cms_due_drafts", "gauge", "Drafts that are due and not published.", dueDrafts),
  metric("cms_due_releases", "gauge", "Releases that are due and not published.", dueReleases),
  metric(
    "cms_oldest_due_draft_seconds",
    "gauge",
    "For how long the oldest of these drafts and releases has been due.",
    oldestDueSeconds,
  ),
];

/** Without the counts that are not known before the first fetch. */
const syncMetrics = ({ ahead, behind, failing_seconds, last_success }: SyncStatus): readonly string[] => [
  ...(ahead === null ? [] : [metric("cms_sync_ahead_commits", "gauge", "Commits that the remote lacks.", ahead)]),
  ...(behind === null ? [] : [metric("cms_sync_behind_commits", "gauge", "Commits of the remote not here.", behind)]),
  metric(
    "cms_sync_failing_seconds",
    "gauge",
    "For how long every sync has failed; 0 when the last one succeeded.",
    failing_seconds,
  ),
  ...(last_success === null
    ? []
    : [
        metric(
          "cms_sync_last_success_timestamp_seconds",
          "gauge",
          "When the last sync succeeded.",
          msOf(last_success) / 1000,
        ),
      ]),
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
    const { user } = await principalOf(call.ctx.accounts, call.headers, true);
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
