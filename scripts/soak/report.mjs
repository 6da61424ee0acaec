/** What a soak has counted, and its table. */

/** Growth between the first and the last third of the longest life of a process that counts as growing. */
const GROWTH_MAX = 1.25;
/** Lives shorter than this say nothing about growth. */
const LIFE_SECONDS = 120;
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
    const isFlat = !growth || (growth.rss <= GROWTH_MAX && growth.descriptors <= DESCRIPTORS_MORE);
    const failed = Object.values(this.commands).some((row) => row.failed.length > 0);
    return (
      isFlat &&
      !failed &&
      [this.lost, this.corrupt, this.stuck, this.deaths, this.defects].every((list) => list.length === 0)
    );
  },
});

/**
 * How much the longest-lived process has grown from the first third of its life to the last, as medians.
 *
 * @returns undefined when none lived long enough
 */
function growthOf(samples) {
  const lives = [];
  for (const sample of samples) {
    const life = lives.at(-1);
    if (life && life.at(-1).seconds <= sample.seconds) life.push(sample);
    else lives.push([sample]);
  }
  const longest = lives.sort((a, b) => b.length - a.length)[0];
  if (!longest || longest.at(-1).seconds < LIFE_SECONDS) return undefined;
  const third = Math.floor(longest.length / 3);
  const median = (list, key) => list.map((sample) => sample[key]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const [first, last] = [longest.slice(third, 2 * third), longest.slice(-third)];
  return {
    seconds: Math.round(longest.at(-1).seconds),
    rss: median(last, "rss") / median(first, "rss"),
    rssLast: Math.round(median(last, "rss")),
    descriptors: median(last, "descriptors") - median(first, "descriptors"),
    descriptorsLast: median(last, "descriptors"),
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
      "Longest life: memory and descriptors, last third against the middle one",
      growth
        ? `${growth.seconds} s: ${growth.rssLast} MB (x${growth.rss.toFixed(2)}), ${growth.descriptorsLast} (${growth.descriptors >= 0 ? "+" : ""}${growth.descriptors})`
        : "none long enough",
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
