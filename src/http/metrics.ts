/**
 * `/metrics`: figures of the running process, in the text format of Prometheus (version 0.0.4).
 *
 * Only counts and sizes: nothing about the content, its paths or its editors.
 */
import { monitorEventLoopDelay, type IntervalHistogram } from "node:perf_hooks";
import type { Server, ServerResponse } from "node:http";
import { promisify } from "node:util";
import type { WriteCounts } from "../store/write/write-counts.ts";
import { isAddressOrLocalhost } from "./authority.ts";
import { isInNetworks } from "./origin.ts";
import type { Reply } from "./reply.ts";
import type { Call } from "./route.ts";

/** The figures of one server. */
export interface Metrics {
  /** Counts the responses and connections of the server from now on. */
  observe(server: Server): void;
  /** The event loop's figures are those since the last call. */
  text(writes: WriteCounts): Promise<string>;
  close(): void;
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
  let connectionsOf: (() => Promise<number>) | undefined;
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  function count(this: ServerResponse): void {
    const statusClass = `${Math.floor(this.statusCode / 100)}xx`;
    responses.set(statusClass, (responses.get(statusClass) ?? 0) + 1);
  }
  return {
    observe(server) {
      server.prependListener("request", (_request, response) => void response.once("finish", count));
      connectionsOf = promisify(server.getConnections.bind(server));
    },
    async text({ writes, batches }) {
      const stall = seconds(delays.max);
      const quantiles = QUANTILES.map((q): Sample => [`{quantile="${q}"}`, seconds(delays.percentile(q * 100))]);
      delays.reset();
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed, external } = process.memoryUsage();
      const commits = [...batches].reduce((sum, [size, times]) => sum + size * times, 0);
      return [
        metric("cms_event_loop_stall_max_seconds", "gauge", "Longest stall of the event loop since the last scrape.", [
          ["", stall],
        ]),
        metric("cms_event_loop_delay_seconds", "gauge", "Delay of the event loop since the last scrape.", quantiles),
        metric("process_resident_memory_bytes", "gauge", "Resident memory.", [["", rss]]),
        metric("nodejs_heap_size_used_bytes", "gauge", "Memory used by the JavaScript heap.", [["", heapUsed]]),
        metric("nodejs_external_memory_bytes", "gauge", "Memory of buffers outside the heap.", [["", external]]),
        metric("process_cpu_seconds_total", "counter", "Processor time.", [["", (user + system) / 1e6]]),
        metric("cms_connections", "gauge", "Open connections.", [["", (await connectionsOf?.()) ?? 0]]),
        metric(
          "cms_responses_total",
          "counter",
          "Responses sent, by class of status.",
          Array.from(responses, ([statusClass, sent]): Sample => [`{class="${statusClass}"}`, sent]),
        ),
        metric("cms_writes_total", "counter", "Writes acknowledged.", [["", writes]]),
        metric("cms_commits_total", "counter", "Commits made.", [["", commits]]),
        metric("cms_batch_commits", "histogram", "Commits that were made durable together.", histogram(batches)),
      ].join("");
    },
    close: () => void delays.disable(),
  };
}

function eventLoopDelays(): IntervalHistogram {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return delays;
}

/** The text after the name of the metric, and the value. */
type Sample = readonly [suffix: string, value: number];

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join("");
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
}

function histogram(times: ReadonlyMap<number, number>): readonly Sample[] {
  const all = [...times];
  const upTo = (bound: number): number => all.reduce((sum, [size, count]) => sum + (size <= bound ? count : 0), 0);
  return [
    ...BATCH_BOUNDS.map((bound): Sample => [`_bucket{le="${bound}"}`, upTo(bound)]),
    [`_bucket{le="+Inf"}`, upTo(Infinity)],
    ["_sum", all.reduce((sum, [size, count]) => sum + size * count, 0)],
    ["_count", upTo(Infinity)],
  ];
}

const FORWARDED = [
  ...["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server"],
];
const THIS_MACHINE = ["127.0.0.0/8", "::1"];

/**
 * Whether a request may read the metrics: from an address in `METRICS_CLIENTS`.
 *
 * A proxy that is not in `TRUSTED_PROXIES` has its own address, which says nothing about the client: its requests may not. One
 * on this machine may add no header, but passes on the name that the client asked for.
 */
export function mayReadMetrics(call: Call): boolean {
  const { ctx, headers, address, peer } = call;
  if (!isInNetworks(ctx.config.METRICS_CLIENTS, address)) return false;
  if (address === peer && FORWARDED.some((name) => headers.has(name))) return false;
  return !isInNetworks(THIS_MACHINE, address) || isAddressOrLocalhost(headers.get("host") ?? call.url.host);
}

export async function metricsReply({ ctx }: Call, metrics: Metrics): Promise<Reply> {
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
    body: await metrics.text(ctx.store.writeCounts),
  };
}
