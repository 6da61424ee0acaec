/** Extending the history index: the result depends on the history alone, and a long walk need not be repeated. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { INLINE_CODEC } from "../../../src/store/codec/file-codec.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { emptyIndex, extendIndex, type HistoryIndex } from "../../../src/store/history/history-index.ts";
import { historyFile, openHistory } from "../../../src/store/history/history.ts";
import type { Oid, Repo } from "../../../src/store/repo.ts";
import { gitSite, GIT_ENV, quietEnv } from "../git/git-site.ts";

/** A commit of a random history; parents are counted back from it, so that 0 is the one made before. */
interface Made {
  readonly parents: readonly number[];
  /** Seconds after the commit made before; negative where a clock was wrong. */
  readonly later: number;
  readonly file: string;
  readonly gone?: boolean;
}

const made = (later: fc.Arbitrary<number>): fc.Arbitrary<Made> =>
  fc.record({
    parents: fc.oneof(
      { weight: 3, arbitrary: fc.constant([0]) },
      { weight: 2, arbitrary: fc.tuple(fc.nat(4)) },
      { weight: 2, arbitrary: fc.tuple(fc.nat(3), fc.nat(6)) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(3), fc.nat(6), fc.nat(9)) },
      { weight: 1, arbitrary: fc.constant<number[]>([]) },
    ),
    later,
    file: fc.constantFrom("content/a.yaml", "content/b.yaml", "content/a.draft.en.yaml", "media/a.png"),
    gone: fc.boolean(),
  });

/** Imports the commits into an empty repository. @returns their ids */
async function importHistory(dir: string, history: readonly Made[]): Promise<Oid[]> {
  const lines: string[] = [];
  let second = 1_767_225_600;
  for (const [at, { parents, later, file, gone }] of history.entries()) {
    second += later;
    const known = [...new Set(parents.map((back) => at - back).filter((mark) => mark > 0))];
    const message = `Commit ${at + 1}`;
    lines.push(`commit refs/heads/c${at + 1}`, `mark :${at + 1}`, `committer P <p@example.org> ${second} +0000`);
    lines.push(`data ${message.length}`, message);
    lines.push(...known.map((mark, n) => `${n === 0 ? "from" : "merge"} :${mark}`));
    const text = `id: ${at % 3}\n`;
    lines.push(gone ? `D ${file}` : `M 100644 inline ${file}\ndata ${text.length}\n${text}`);
  }
  const options = { cwd: dir, env: GIT_ENV, encoding: "utf8" } as const;
  execFileSync("git", ["fast-import", "--quiet", "--force", "--export-marks=.git/marks"], {
    ...options,
    input: `${lines.join("\n")}\n`,
  });
  const marks = execFileSync("cat", [".git/marks"], options).trim().split("\n");
  const ids = new Map(marks.map((line) => line.split(" ") as [string, string]));
  return history.map((_, at) => ids.get(`:${at + 1}`)!);
}

const headedBy = (repo: Repo, head: Oid): Repo => ({
  ...repo,
  state: async () => ({ branch: "main", head, blocked: null }),
});

async function openSite(history: readonly Made[]): Promise<{ repo: Repo; ids: Oid[]; close(): Promise<void> }> {
  const site = gitSite();
  const ids = await importHistory(site.dir, history);
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  return {
    repo,
    ids,
    async close() {
      await repo.close();
      site.remove();
    },
  };
}

async function extend(repo: Repo, head: Oid, known: HistoryIndex): Promise<HistoryIndex> {
  return (await extendIndex({ repo: headedBy(repo, head), codec: INLINE_CODEC }, known, ["content"])).index;
}

it.each([
  ["clocks that are right", fc.constantFrom(0, 0, 1, 60)],
  ["clocks that are not", fc.integer({ min: -200, max: 200 })],
])(
  "an index extended at any commits, merges and commits of other branches, is one that is built at once: with %s",
  { timeout: 240_000 },
  async (_clocks, later) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made(later), { minLength: 4, maxLength: 40 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
        async (history, looks) => {
          const { repo, ids, close } = await openSite(history);
          try {
            let known = emptyIndex();
            // Mostly forward, and now and then to where a branch or a reset leads.
            const sorted = looks.map((look) => look % ids.length).sort((a, b) => a - b);
            for (const at of [...sorted, ...looks.map((look) => look % ids.length), ids.length - 1]) {
              known = await extend(repo, ids[at]!, known);
              expect(known).toEqual(await extend(repo, ids[at]!, emptyIndex()));
            }
            const seen = new Set<Oid>();
            for await (const { id } of repo.log(ids.at(-1)!, null, [])) seen.add(id);
            expect(new Set(known.walked.keys())).toEqual(seen);
          } finally {
            await close();
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 25) },
    );
  },
);

const LONG = 4_500;

/** A line into which every tenth commit merges a branch of three commits. */
const longHistory = (length: number): Made[] =>
  Array.from({ length }, (_, at) => ({
    parents: at % 10 === 9 ? [3, 0] : [0],
    later: 1,
    file: `content/p${at % 50}.yaml`,
  }));

/** Counts the commits whose changes are looked up, and fails when there are too many. */
function counting(repo: Repo, most = Infinity): { repo: Repo; counted(): number } {
  let count = 0;
  return {
    counted: () => count,
    repo: {
      ...repo,
      async *log(from, until, under) {
        for await (const entry of repo.log(from, until, under)) {
          if (under.length > 0 && ++count > most) throw new Error("killed");
          yield entry;
        }
      },
    },
  };
}

it("a walk that is cut short goes on, in the next process, where it was saved", { timeout: 240_000 }, async () => {
  const { repo, ids, close } = await openSite(longHistory(LONG));
  onTestFinished(close);
  const headed = headedBy(repo, ids.at(-1)!);
  const open = (from: Repo, file: string | null) => openHistory(from, ["content"], file);
  const file = historyFile(repo.stateDir);
  await expect(open(counting(headed, 4_200).repo, file).changesOf("content/p7.yaml")).rejects.toThrow("killed");
  const next = counting(headed);
  const changes = await open(next.repo, file).changesOf("content/p7.yaml");
  expect(changes).toHaveLength(LONG / 50);
  expect(changes).toEqual(await open(headed, null).changesOf("content/p7.yaml"));
  // Saved every 2,000 commits or a few more, since a group is not divided.
  expect(next.counted()).toBeLessThan(LONG - 3_900);
});

it("a merge adds what it merged, and a commit put in the place of the last one adds itself", async () => {
  const { repo, ids, close } = await openSite([
    ...longHistory(100),
    { parents: [0], later: 1, file: "content/amended.yaml" },
    { parents: [1], later: 1, file: "content/instead.yaml" },
    { parents: [1, 0], later: 1, file: "content/merge.yaml" },
    { parents: [1, 0], later: 1, file: "content/foxtrot.yaml" },
  ]);
  onTestFinished(close);
  const walkedTo = async (known: HistoryIndex, head: Oid): Promise<[HistoryIndex, number]> => {
    const counted = counting(headedBy(repo, head));
    const { index } = await extendIndex({ repo: counted.repo, codec: INLINE_CODEC }, known, ["content"]);
    return [index, counted.counted()];
  };
  const [ninety] = await walkedTo(emptyIndex(), ids[88 - 3]!);
  const [merged, added] = await walkedTo(ninety, ids[89]!);
  expect(added).toBe(4);
  const [amended] = await walkedTo(merged, ids[100]!);
  const [instead, one] = await walkedTo(amended, ids[101]!);
  expect([one, instead.changes.has("content/amended.yaml")]).toEqual([1, false]);
  const [rewound, none] = await walkedTo(instead, ids[99]!);
  expect([none, rewound]).toEqual([0, await extend(repo, ids[99]!, emptyIndex())]);
  // HEAD before is the second parent of what came: the line is another one from where both left the old one.
  const [foxtrot, few] = await walkedTo((await walkedTo(rewound, ids[102]!))[0], ids[103]!);
  expect(few).toBe(4);
  expect(foxtrot).toEqual(await extend(repo, ids[103]!, emptyIndex()));
});
