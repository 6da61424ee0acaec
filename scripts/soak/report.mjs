/** What a soak has counted, and its table. */

/** How much the heap after a collection, and resident memory, may grow from one measurement of a life to the last. */
const HEAP_GROWTH_MAX = 1.35;
const RSS_GROWTH_MAX = 1.5;
/** In seconds: until then caches fill (live heap in one life of 20 minutes: 34 MB at 2, 46 at 8, 51 at 13, 52 at 20). */
const WARM = 240;
/** In seconds: lives that are shorter say nothing about growth. */
const LIFE = 400;
/** Descriptors come and go with connections; this many more count as a leak. */
const DESCRIPTORS_MORE = 40;
const SHOWN = 10;

export const newReport = (setup) => ({
  setup,
  acknowledged: 0,
  found: 0,
  cut: 0,
  refused: {},
  locked: 0,
  moves: 0,
  keptSaves: 0,
  checks: 0,
  checkedCommit: undefined,
  git: {},
  faults: {},
  commands: {},
  samples: [],
  lost: [],
  corrupt: [],
  stuck: [],
  deaths: [],
  defects: [],
  seconds: 0,
  /** How many of each kind of failure were printed already. */
  told: {},
  isGood() {
    const growth = growthOf(this.samples);
    const isFlat =
      !growth ||
      (growth.heap <= HEAP_GROWTH_MAX && growth.rss <= RSS_GROWTH_MAX && growth.descriptors <= DESCRIPTORS_MORE);
    const failed = Object.values(this.commands).some((row) => row.failed.length > 0);
    return (
      isFlat &&
      !failed &&
      [this.lost, this.corrupt, this.stuck, this.deaths, this.defects].every((list) => list.length === 0)
    );
  },
});

/**
 * How much the process with the longest life has grown from the first measurement after it was warm to its last.
 *
 * @param samples measured while nothing was in flight, of all lives
 * @returns undefined when none lived long enough
 */
function growthOf(samples) {
  const [last] = [...samples].sort((a, b) => b.seconds - a.seconds);
  const first = samples.find(({ life, seconds }) => life === last?.life && seconds >= WARM);
  if (!first || last.seconds < LIFE) return undefined;
  return {
    first,
    last,
    heap: last.heap / first.heap,
    rss: last.rss / first.rss,
    descriptors: last.descriptors - first.descriptors,
  };
}

/** The table as Markdown, and every failure in full below it. */
export function printReport(report) {
  const pairs = (counts) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ") || "none";
  const rows = (counts, second) =>
    pairs(Object.fromEntries(Object.entries(counts).map(([name, row]) => [name, `${row.done}${second(row)}`])));
  const growth = growthOf(report.samples);
  const { seed, ballast, editors } = report.setup;
  const table = [
    ["Duration, seed, pages, editors", `${report.seconds} s, ${seed}, ${ballast}, ${editors}`],
    ["Acknowledged, found again", `${report.acknowledged}, ${report.found}`],
    ["Lost", report.lost.length],
    ["Corrupt", report.corrupt.length],
    ["Stuck", report.stuck.length],
    ["Ends of the process but those ordered", report.deaths.length],
    ["Answers 5xx but 503 and 507", report.defects.length],
    ["Requests cut off; refused by status", `${report.cut}; ${pairs(report.refused)}`],
    ["Faults", pairs(report.faults)],
    ["Git commands done (refused)", rows(report.git, (row) => (row.refused > 0 ? ` (${row.refused})` : ""))],
    ["Git met a lock; late saves kept aside", `${report.locked}; ${report.keptSaves}`],
    [
      "Other commands done (refused amid a merge)",
      rows(report.commands, (row) => (row.refused > 0 ? ` (${row.refused})` : "")),
    ],
    ["Other commands failed", Object.values(report.commands).reduce((sum, row) => sum + row.failed.length, 0)],
    ["Checks of everything", report.checks],
    [
      "Longest life: heap after a collection, resident memory, descriptors",
      growth ? growthText(growth) : "none long enough",
    ],
  ];
  const text = ["| Soak | |", "|---|---|", ...table.map(([name, value]) => `| ${name} | ${value} |`)];
  for (const name of ["lost", "corrupt", "stuck", "deaths", "defects"]) {
    for (const each of report[name].slice(0, SHOWN)) text.push("", `${name}: ${each}`);
  }
  for (const [name, { failed }] of Object.entries(report.commands)) {
    for (const each of failed.slice(0, SHOWN)) text.push("", `cms ${name} failed: ${each}`);
  }
  return text.join("\n");
}

function growthText({ first, last, heap, rss }) {
  const mb = (from, to, factor) => `${Math.round(from)} to ${Math.round(to)} MB (x${factor.toFixed(2)})`;
  return (
    `from ${Math.round(first.seconds)} to ${Math.round(last.seconds)} s: ${mb(first.heap, last.heap, heap)}, ` +
    `${mb(first.rss, last.rss, rss)}, ${first.descriptors} to ${last.descriptors}`
  );
}
