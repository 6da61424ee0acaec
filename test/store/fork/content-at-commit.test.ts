/** The content at past commits is the same whether a tree is loaded or the files that differ are put back. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { KINDS } from "../../../src/cms.ts";
import { mediaFiles } from "../../../src/store/records/media/media-files.ts";
import type { Snapshot } from "../../../src/store/snapshot.ts";
import { contentPaths } from "../../../src/store/content/load.ts";
import { openHistory } from "../../../src/store/history/history.ts";
import type { LogEntry, Oid, Path } from "../../../src/store/repo.ts";
import { openStore, type Store } from "../../../src/store/write/store.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import { quietEnv } from "../git/git-site.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };

const page = (id: number | null, permalink: string): string =>
  `${id === null ? "" : `id: ${id}\n`}date_created: 2026-01-01T00:00:00Z\ntranslations:\n  en: { title: T, permalink: ${permalink}, autopermalink: false }\n`;

const FILES = {
  "content/pages/a.yaml": page(1, "/a"),
  "content/pages/b.yaml": page(2, "/b"),
  "content/pages/drafted.yaml": page(9, "/drafted"),
};

const name = fc.constantFrom("a", "b", "sub/c");
/** A file and its new text; null removes it. All load: of one that does not, the version served before stays. */
const edit: fc.Arbitrary<readonly [Path, string | null]> = fc.oneof(
  fc.tuple(
    name.map((each) => `content/pages/${each}.yaml`),
    fc.oneof(
      fc.constantFrom(null, page(null, "/derived")),
      fc.tuple(fc.nat(3), fc.nat(5)).map(([id, slug]) => page(id + 1, `/${slug}`)),
    ),
  ),
  fc.tuple(
    fc.constant("content/pages/drafted.draft.en.yaml"),
    fc.constantFrom(null, "title: Draft\n", "title: Other\n"),
  ),
  fc.tuple(
    name.map((each) => `content/contents/${each}.yaml`),
    fc.nat(3).map((id) => `id: ${id + 50}\nidentifier: b${id}\n`),
  ),
  fc.tuple(
    fc.constantFrom("media/x.bin", "media/renditions/x.bin", "content/pages/.hidden.yaml"),
    fc.constantFrom(null, "one", "two"),
  ),
);

/** The files come in another order than at a start; their problems must be reported in the same one. */
const THREE_WITH_ONE_ID: (readonly [Path, string | null])[][] = [
  [["content/pages/a.yaml", page(3, "/0")]],
  [["content/pages/b.yaml", page(3, "/0")]],
  [["content/pages/sub/c.yaml", page(3, "/0")]],
  [["content/pages/a.yaml", null]],
];

/** The size of a media file at a past commit is unknown. */
const contentOf = (snapshot: Snapshot): unknown => {
  const tables = Array.from(snapshot.tables(), ([kind, { byBase, all }]) => {
    const files = Array.from(byBase, ([base, entry]) => [base, [...entry.files].sort()] as const);
    return [kind.name, files.filter(([, parts]) => parts.length > 0).sort(), all] as const;
  });
  const { commit, problems, owners } = snapshot;
  const stored = tables.filter(([, files, all]) => files.length + all.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const withoutSize = (key: string, value: unknown): unknown => (key === "size" ? undefined : value);
  return JSON.parse(JSON.stringify({ commit, problems, owners: [...owners], stored }, withoutSize));
};

/** Every file is read, since the empty content has none. */
async function wholeContentAt({ repo, kinds, contentAt }: Store, commit: Oid | null): Promise<Snapshot> {
  const blobs = new Map(commit === null ? [] : await repo.tree(commit, contentPaths(kinds)));
  return (await contentAt(commit, { content: await contentAt(null), blobs })).snapshot;
}

it("puts files back, over any number of commits", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }),
      async (commits) => {
        const repo = memoryRepo(FILES);
        for (const edits of commits) {
          for (const [path, text] of edits) {
            if (text !== null) repo.write(path, text);
            else if (repo.text(path) !== undefined) repo.erase(path);
          }
          repo.commitByHand("Edit");
        }
        const kinds = [...KINDS, mediaFiles(["renditions"])];
        const history = openHistory(repo, ["content"], null);
        const store = await openStore({ repo, kinds, locales: LOCALES, env: quietEnv(), history });
        const line: LogEntry[] = [];
        for await (const entry of repo.log(store.current.commit!, null, ["content", "media"])) line.push(entry);
        const known = new Map<Oid | null, unknown>();
        for (const [start] of line.entries()) {
          const later = await store.contentAt(line[start]!.id);
          const blobs = new Map<Path, Oid | null>();
          for (const { changed, parents } of line.slice(start)) {
            for (const [path, { before }] of changed) blobs.set(path, before);
            const parent = parents[0] ?? null;
            const earlier = await store.contentAt(parent, { content: later, blobs });
            const expected = known.get(parent) ?? contentOf(await wholeContentAt(store, parent));
            known.set(parent, expected);
            expect(contentOf(earlier.snapshot)).toEqual(expected);
            expect(contentOf((await store.contentAt(parent)).snapshot)).toEqual(expected);
          }
        }
        await store.close();
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 30), examples: [[THREE_WITH_ONE_ID]] },
  );
});
