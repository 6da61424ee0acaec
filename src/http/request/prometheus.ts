/** The text format of Prometheus, version 0.0.4. */

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The text after the name of the metric, and the value. */
export type Sample = readonly [suffix: string, value: number];

const metric =
  (type: "gauge" | "counter" | "histogram") =>
  (name: string, help: string, samples: number | readonly Sample[]): string => {
    const all: readonly Sample[] = typeof samples === "number" ? [["", samples]] : samples;
    const lines = all.map(([suffix, value]) => `${name}${suffix} ${value}\n`).join("");
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
  };

export const gauge = metric("gauge");
export const counter = metric("counter");
export const histogram = metric("histogram");

/**
 * The samples of a histogram.
 *
 * @param counts one more than bounds: how many values were in each interval, the last above all bounds
 * @param sum of all values
 */
export function histogramOf(bounds: readonly number[], counts: readonly number[], sum: number): readonly Sample[] {
  let below = 0;
  const buckets = [...bounds, "+Inf"].map((bound, at): Sample => [
    `_bucket{le="${bound}"}`,
    (below += counts[at] ?? 0),
  ]);
  return [...buckets, ["_sum", sum], ["_count", below]];
}
