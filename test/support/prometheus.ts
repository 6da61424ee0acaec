/** A strict parser of the text format of Prometheus, version 0.0.4. */

export interface ParsedMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const VALUE = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Inf|NaN)$/;

/**
 * The metrics by name.
 *
 * @throws for what Prometheus would refuse: a sample before its type, a metric in two places, a repeated sample, a name,
 *   label or number of wrong form, a histogram whose buckets do not grow or do not end at its count
 */
export function parsePrometheus(text: string): ReadonlyMap<string, ParsedMetric> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end.");
  const metrics = new Map<string, ParsedMetric>();
  const seen = new Set<string>();
  let help = { name: "", text: "" };
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, sentence = ""] = HELP.exec(line) ?? [];
    const [, typed, type = ""] = TYPE.exec(line) ?? [];
    if (helped !== undefined) help = { name: helped, text: sentence };
    else if (typed !== undefined) {
      if (metrics.has(typed) || help.name !== typed) throw new Error(`${line}: a second time, or without help`);
      metrics.set(typed, { type, help: help.text, samples: [] });
      current = typed;
    } else {
      const sample = parseSample(line);
      const of = metrics.get(current);
      const suffix = of?.type === "histogram" ? "(_bucket|_sum|_count)" : "";
      if (!of || !new RegExp(`^${current}${suffix}$`).test(sample.name)) throw new Error(`${line}: not of ${current}`);
      const key = `${sample.name}${JSON.stringify(sample.labels)}`;
      if (seen.has(key)) throw new Error(`${line}: a second time`);
      seen.add(key);
      of.samples.push(sample);
    }
  }
  for (const [name, metric] of metrics) if (metric.type === "histogram") checkHistogram(name, metric);
  return metrics;
}

function parseSample(line: string): ParsedMetric["samples"][number] {
  const [, name, inner = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !VALUE.test(value)) throw new Error(`${line}: no sample`);
  const labels: Record<string, string> = {};
  for (let rest = inner; rest !== "";) {
    const [all, label, content] = LABEL.exec(rest) ?? [];
    if (all === undefined || label === undefined || label in labels) throw new Error(`${line}: wrong labels`);
    labels[label] = content!;
    rest = rest.slice(all.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function checkHistogram(name: string, { samples }: ParsedMetric): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => Number(labels.le?.replace("Inf", "Infinity")));
  const grows = (values: readonly number[], isStrict: boolean): boolean =>
    values.every((value, at) => at === 0 || value > values[at - 1]! || (!isStrict && value === values[at - 1]));
  const count = samples.find((sample) => sample.name === `${name}_count`)?.value;
  const isWhole = bounds.at(-1) === Infinity && buckets.at(-1)?.value === count;
  const values = buckets.map(({ value }) => value);
  if (!grows(bounds, true) || !grows(values, false) || !isWhole || !samples.some((each) => each.name === `${name}_sum`))
    throw new Error(`${name}: wrong buckets`);
}
