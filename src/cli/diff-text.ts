/** Differences between two contents as lines for a terminal, and as Markdown. */
import type { Json } from "../model/input/json.ts";
import type { Comparison, RecordDifference } from "../views/moments/compare.ts";
import { paint, printable, type Io } from "./terminal.ts";

/** In characters, of a value. */
const VALUE_MAX = 60;

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;
const STYLES = { added: "green", removed: "red", changed: "yellow" } as const;
type Change = keyof typeof SIGNS;

export function terminalTextOf(io: Io, { records, urls }: Comparison): string {
  const mark = (change: Change): string => paint(io, io.stdout, STYLES[change], SIGNS[change]);
  const lines = [
    ...section(io, "Records", records, (record) => [
      `${mark(record.change)} ${printable(titleOf(record))}${record.path === null ? "" : `  ${printable(record.path)}`}`,
      ...record.fields.map(({ field, before, after }) => {
        const values = `${shortValue(before)} → ${shortValue(after)}`;
        return `    ${printable(field)}: ${values}`;
      }),
    ]),
    ...section(io, "Public paths", urls, (url) => [`${mark(url.change)} ${printable(url.path)}`]),
    summaryOf({ records, urls }),
  ];
  return `${lines.join("\n")}\n`;
}

export function markdownOf({ records, urls }: Comparison): string {
  const lines = [
    `**${summaryOf({ records, urls })}**`,
    ...(records.length > 0 ? ["", "### Records", ""] : []),
    ...records.flatMap((record) => [
      `- ${record.change}: ${code(titleOf(record))}${record.path === null ? "" : ` in ${code(record.path)}`}`,
      ...record.fields.map(
        ({ field, before, after }) => `  - ${code(field)}: ${code(shortValue(before))} → ${code(shortValue(after))}`,
      ),
    ]),
    ...(urls.length > 0 ? ["", "### Public paths", ""] : []),
    ...urls.map((url) => `- ${url.change}: ${code(url.path)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function section<T>(io: Io, title: string, items: readonly T[], linesOf: (item: T) => readonly string[]): string[] {
  if (items.length === 0) return [];
  return [
    paint(io, io.stdout, "bold", title),
    ...items.flatMap((item) => linesOf(item).map((line) => `  ${line}`)),
    "",
  ];
}

const titleOf = ({ model, name }: RecordDifference): string => `${model} "${name}"`;

function summaryOf({ records, urls }: Comparison): string {
  if (records.length + urls.length === 0) return "No differences.";
  return `${countsOf("record", records)}; ${countsOf("public path", urls)}.`;
}

function countsOf(what: string, items: readonly { readonly change: Change }[]): string {
  if (items.length === 0) return `no ${what}s`;
  const counts = (Object.keys(SIGNS) as Change[])
    .map((change) => [change, items.filter((item) => item.change === change).length] as const)
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${change}`);
  return `${items.length} ${what}${items.length === 1 ? "" : "s"} (${counts.join(", ")})`;
}

/** As JSON, which has no line breaks; a long one is cut. */
function shortValue(value: Json): string {
  const text = printable(value === null ? "nothing" : JSON.stringify(value));
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}

/** A code span, which shows Markdown in a value as it is: its fence is longer than any run of backticks inside. */
function code(text: string): string {
  const shown = printable(text);
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  return fence.length > 1 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}
