/**
 * The contract of the repository port: one suite that every implementation passes.
 *
 * A person works in the same repository; each implementation gives the suite a way to act as that person.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantOf } from "../../../src/model/time/instant.ts";
import { oidOf } from "../../../src/store/git/objects/object.ts";
import type {
  Batch,
  BatchResult,
  CommitPlan,
  LogEntry,
  Merge,
  Oid,
  Path,
  Repo,
  Signature,
} from "../../../src/store/repo.ts";

export interface Person {
  save(path: Path, text: string): void;
  erase(path: Path): void;
  /** Commits the working tree as it is. */
  commit(message: string): Promise<Oid>;
  text(path: Path): string | undefined;
  /** Fetches a commit of another clone; null removes a file. */
  receive(parent: Oid, changes: Readonly<Record<Path, string | null>>, message: string): Promise<Oid>;
  /** Begins something that stands in the way of every write, a merge. */
  beginMerge(): void;
}

export interface Opened {
  readonly repo: Repo;
  readonly person: Person;
  close(): Promise<void>;
}

/** @param files committed by the person before the repository is opened; none: a branch without a commit */
export type OpenRepo = (files: Readonly<Record<Path, string>>) => Promise<Opened>;

export const EDITOR: Signature = { name: "Edith Editor", email: "edith@example.org" };
const NOON = Date.UTC(2026, 2, 1, 12);

/** A plan as an editor would make it; text mapped to null removes the file. */
export function plan(changes: Readonly<Record<Path, string | null>>, more: Partial<CommitPlan> = {}): CommitPlan {
  const bytes = Object.entries(changes).map(
    ([path, text]) => [path, text === null ? null : Buffer.from(text)] as const,
  );
  return { author: EDITOR, at: instantOf(NOON), message: "Change", changes: new Map(bytes), ...more };
}

/** The batch as the newest state gives it: what is there now is what is expected. */
export async function batchOf(repo: Repo, ...commits: readonly CommitPlan[]): Promise<Batch> {
  const expect = new Map<Path, Oid | null>();
  for (const { changes } of commits) {
    for (const path of changes.keys()) expect.set(path, (await repo.read(path))?.oid ?? null);
  }
  return { base: (await repo.state()).head, commits, expect };
}

/** One commit, which must come to be. */
export async function commit(
  repo: Repo,
  changes: Readonly<Record<Path, string | null>>,
  more?: Partial<CommitPlan>,
): Promise<Oid> {
  const result = await repo.commit(await batchOf(repo, plan(changes, more)));
  return made(result)[0]!;
}

/** Plans anew for as long as something moved meanwhile, as the store does. */
export async function commitStubbornly(repo: Repo, ...commits: readonly CommitPlan[]): Promise<readonly Oid[]> {
  for (;;) {
    const result = await repo.commit(await batchOf(repo, ...commits));
    if (result.made) return result.commits;
  }
}

export async function logOf(
  repo: Repo,
  from: Oid,
  until: Oid | null = null,
  under: readonly Path[] = [""],
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of repo.log(from, until, under)) entries.push(entry);
  return entries;
}

export async function textAt(repo: Repo, id: Oid, path: Path): Promise<string | undefined> {
  const oid = (await repo.committed(id, [path])).get(path);
  return oid ? Buffer.from(await repo.blob(oid)).toString("utf8") : undefined;
}

function made(result: BatchResult): readonly Oid[] {
  if (!result.made) throw new Error(`Not made, since ${result.moved} moved`);
  return result.commits;
}

const SITE = {
  "cms.config.yaml": "LANGUAGE_CODE: en\n",
  "content/pages/home.yaml": "title: Home\n",
  "content/pages/about.yaml": "title: About\n",
  "content/menus/main.yaml": "key: main\n",
  "media/logo.svg": "<svg/>\n",
};

/** Texts that git would understand, or that would lead out of a folder of refs. */
const NO_REVISIONS: readonly string[] = [
  ...[
    "",
    "main~5",
    "main^2",
    "main~x",
    "main^{commit}",
    "main@{0}",
    "@",
    "-n",
    "main:content",
    ":/Change",
    "refs/heads/main",
    "heads/main",
  ],
  ...["../heads/main", "main/", "/main", "main/..", ".", "..", "main.lock", "a\\b", "\0", "main\n", "x/".repeat(100)],
  ...["x".repeat(300), "é".repeat(200), "../../config", "main/below"],
];

/** The suite. Its cases hold for each implementation. */
export function describeRepo(name: string, open: OpenRepo): void {
  describe(name, () => {
    let opened: Opened;
    let repo: Repo;
    let person: Person;
    const start = async (files: Readonly<Record<Path, string>>) => {
      opened = await open(files);
      ({ repo, person } = opened);
    };
    beforeEach(() => start(SITE));
    afterEach(() => opened.close());

    describe("reading", () => {
      it("lists regular files under folders and single files, without dotfiles", async () => {
        person.save("content/.hidden.yaml", "x\n");
        person.save("content/pages/.git-keep/x.yaml", "x\n");
        const files = await repo.files(["content", "cms.config.yaml", "nowhere"]);
        expect([...files.keys()].sort()).toEqual([
          "cms.config.yaml",
          "content/menus/main.yaml",
          "content/pages/about.yaml",
          "content/pages/home.yaml",
        ]);
        expect(files.get("cms.config.yaml")).toMatchObject({
          size: 18,
          oid: (await repo.read("cms.config.yaml"))!.oid,
        });
      });

      it("takes the root as a folder", async () => {
        expect([...(await repo.files([""])).keys()]).toHaveLength(5);
        expect([...(await repo.tree((await repo.state()).head!, [""])).keys()]).toHaveLength(5);
      });

      it("sees what a person saves, even twice in an instant with the same length", async () => {
        for (const text of ["title: A\n", "title: B\n", "title: C\n"]) {
          person.save("content/pages/home.yaml", text);
          const { oid } = (await repo.files(["content"])).get("content/pages/home.yaml")!;
          const read = (await repo.read("content/pages/home.yaml"))!;
          expect(Buffer.from(read.bytes).toString()).toBe(text);
          expect(read.oid).toBe(oid);
        }
        person.erase("content/pages/home.yaml");
        expect(await repo.read("content/pages/home.yaml")).toBeUndefined();
      });

      it("tells what a commit holds", async () => {
        const { head } = await repo.state();
        const held = await repo.committed(head, ["content/pages/home.yaml", "content/pages", "content/none.yaml"]);
        expect(held.get("content/pages")).toBeNull();
        expect(held.get("content/none.yaml")).toBeNull();
        expect(held.get("content/pages/home.yaml")).toBe((await repo.read("content/pages/home.yaml"))!.oid);
        expect([...(await repo.tree(head!, ["content/menus", "media"])).keys()].sort()).toEqual([
          "content/menus/main.yaml",
          "media/logo.svg",
        ]);
        expect((await repo.committed(null, ["x.yaml"])).get("x.yaml")).toBeNull();
      });

      it("says so when there is no such object", async () => {
        const none = "0123456789".repeat(4);
        await expect(repo.blob(none)).rejects.toMatchObject({ code: "not_found" });
        await expect(repo.tree(none, [""])).rejects.toMatchObject({ code: "not_found" });
        expect(await repo.resolveCommit(none)).toBeUndefined();
      });

      it("finds a commit by its beginning", async () => {
        const id = await commit(repo, { "content/pages/home.yaml": "title: Start\n" });
        expect(await repo.resolveCommit(id)).toBe(id);
        expect(await repo.resolveCommit(id.slice(0, 12))).toBe(id);
        for (const bad of ["", id.slice(0, 3), "HEAD", "main", "../..", `${id}0`]) {
          expect(await repo.resolveCommit(bad)).toBeUndefined();
        }
        const blob = (await repo.read("content/pages/home.yaml"))!.oid;
        expect(await repo.resolveCommit(blob)).toBeUndefined();
      });

      it("finds what the branch leads to by its name and by ids, and no other commit", async () => {
        const root = (await repo.state()).head!;
        const id = await commit(repo, { "content/pages/home.yaml": "title: Start\n" });
        for (const name of ["main", "HEAD"]) expect([name, await repo.resolveRevision(name)]).toEqual([name, id]);
        for (const name of [root, root.slice(0, 12), root.toUpperCase(), "main~1", "HEAD^", `${id}~`])
          expect([name, await repo.resolveRevision(name)]).toEqual([name, root]);
        const other = await person.receive(id, { "content/pages/home.yaml": "title: There\n" }, "On no branch");
        const blob = (await repo.read("content/pages/home.yaml"))!.oid;
        for (const name of [other, other.slice(0, 12), blob, "0123456789".repeat(4), ...NO_REVISIONS])
          expect([name, await repo.resolveRevision(name)]).toEqual([name, undefined]);
        await opened.close();
        await start({});
        for (const name of ["main", "HEAD"])
          expect([name, await repo.resolveRevision(name)]).toEqual([name, undefined]);
      });

      it("tells the time of a commit", async () => {
        const id = await commit(repo, { "content/a.yaml": "1\n" }, { at: instantOf(NOON + 1_500) });
        expect(await repo.timeOf(id)).toBe(instantOf(NOON + 1_000));
        await expect(repo.timeOf("0123456789".repeat(4))).rejects.toMatchObject({ code: "not_found" });
      });

      it("finds the newest commit of a moment, on the line of first parents", async () => {
        const root = (await repo.state()).head!;
        const other = await person.receive(root, { "content/b.yaml": "1\n" }, "There");
        const first = await commit(repo, { "content/a.yaml": "1\n" }, { at: instantOf(NOON) });
        const message = { author: EDITOR, at: instantOf(NOON + 10_000), message: "Merge" };
        const [merged] = made(await repo.merge({ base: first, other, commit: message, changes: new Map() }));
        const found = (ms: number) => repo.commitBefore(merged!, instantOf(NOON + ms));
        expect([await found(10_000), await found(60_000)]).toEqual([merged, merged]);
        expect([await found(0), await found(9_999)]).toEqual([first, first]);
        expect(await found(-1)).toBe(root);
        expect(await repo.commitBefore(first, instantOf(0))).toBeUndefined();
        expect(await repo.commitBefore(root, instantOf(NOON))).toBe(root);
      });

      it("has the content of a blob as a checkout writes it", async () => {
        const { oid } = (await repo.read("media/logo.svg"))!;
        expect(Buffer.from((await repo.content(oid)) as Uint8Array).toString()).toBe("<svg/>\n");
        await expect(repo.content("0123456789".repeat(4))).rejects.toMatchObject({ code: "not_found" });
      });
    });

    describe("without conversions, damage or an unfinished recovery", () => {
      it("stores content as it is", async () => {
        const bytes = Buffer.from("title: Home\n");
        expect(await repo.stored("content/pages/home.yaml", bytes)).toBe(bytes);
        expect(await repo.stored("content/pages/home.yaml", null)).toBeNull();
      });

      it("has nothing to note, recover, maintain or report", async () => {
        const before = await repo.state();
        await repo.recover();
        await repo.maintain();
        expect(await repo.notes(["content"])).toEqual([]);
        expect(await repo.findDamage()).toBeNull();
        expect(await repo.isShallow()).toBe(false);
        expect(await repo.user()).toEqual({ name: "Pat Person", email: "pat@example.org" });
        expect(await repo.state()).toEqual(before);
      });
    });

    describe("a commit", () => {
      it("changes, adds and removes, in the working tree as in the branch", async () => {
        const before = (await repo.state()).head;
        const id = await commit(repo, {
          "content/pages/home.yaml": "title: Start\n",
          "content/pages/2026/new.yaml": "title: New\n",
          "content/menus/main.yaml": null,
        });
        expect(await repo.state()).toMatchObject({ head: id, blocked: null, branch: "main" });
        expect(person.text("content/pages/home.yaml")).toBe("title: Start\n");
        expect(person.text("content/pages/2026/new.yaml")).toBe("title: New\n");
        expect(person.text("content/menus/main.yaml")).toBeUndefined();
        expect(await repo.tree(id, ["content"])).toEqual(
          new Map([...(await repo.files(["content"]))].map(([path, { oid }]) => [path, oid])),
        );
        const [entry] = await logOf(repo, id, before);
        expect(entry).toMatchObject({
          id,
          parents: [before],
          author: EDITOR,
          at: instantOf(NOON),
          message: "Change\n",
        });
        expect([...entry!.changed.keys()].sort()).toEqual([
          "content/menus/main.yaml",
          "content/pages/2026/new.yaml",
          "content/pages/home.yaml",
        ]);
        expect(entry!.changed.get("content/pages/2026/new.yaml")!.before).toBeNull();
        expect(entry!.changed.get("content/menus/main.yaml")!.after).toBeNull();
      });

      it("keeps bytes as they are", async () => {
        const bytes = Uint8Array.from({ length: 300 }, (_, i) => i % 256);
        const batch = await batchOf(repo, { ...plan({}), changes: new Map([["media/odd.bin", bytes]]) });
        const [id] = made(await repo.commit(batch));
        expect(Buffer.from((await repo.read("media/odd.bin"))!.bytes).equals(bytes)).toBe(true);
        const oid = (await repo.committed(id!, ["media/odd.bin"])).get("media/odd.bin")!;
        expect(Buffer.from(await repo.blob(oid)).equals(bytes)).toBe(true);
      });

      it("writes names in any script", async () => {
        const path = "content/pages/chi è/日本 — ü.yaml";
        const id = await commit(repo, { [path]: "a: 1\n" });
        expect(await textAt(repo, id, path)).toBe("a: 1\n");
        expect((await repo.files(["content/pages/chi è"])).has(path)).toBe(true);
      });

      it("may write what is there already", async () => {
        const before = await repo.tree((await repo.state()).head!, [""]);
        const id = await commit(repo, { "content/pages/home.yaml": "title: Home\n" });
        expect(await repo.tree(id, [""])).toEqual(before);
        expect((await logOf(repo, id))[0]!.changed.size).toBe(0);
      });

      it("may remove what is not there, or is gone already", async () => {
        person.erase("content/pages/about.yaml");
        const id = await commit(repo, { "content/pages/about.yaml": null, "content/none.yaml": null });
        expect([...(await logOf(repo, id))[0]!.changed.keys()]).toEqual(["content/pages/about.yaml"]);
      });

      it("records a file as a person saved it", async () => {
        person.save("content/pages/home.yaml", "title: By hand\n");
        const id = await commit(repo, { "content/pages/home.yaml": "title: By hand\n" });
        expect(await textAt(repo, id, "content/pages/home.yaml")).toBe("title: By hand\n");
        expect(person.text("content/pages/home.yaml")).toBe("title: By hand\n");
      });

      it("leaves alone what it does not name", async () => {
        person.save("content/pages/about.yaml", "title: Half done\n");
        person.save("notes.txt", "mine\n");
        const id = await commit(repo, { "content/pages/home.yaml": "title: Start\n" });
        expect(person.text("content/pages/about.yaml")).toBe("title: Half done\n");
        expect(person.text("notes.txt")).toBe("mine\n");
        expect([...(await logOf(repo, id))[0]!.changed.keys()]).toEqual(["content/pages/home.yaml"]);
      });

      it("is the first of a repository without any", async () => {
        await opened.close();
        await start({});
        expect(await repo.state()).toEqual({ branch: "main", head: null, blocked: null });
        expect((await repo.files([""])).size).toBe(0);
        const id = await commit(repo, { "content/a.yaml": "a: 1\n" });
        expect((await logOf(repo, id))[0]).toMatchObject({ id, parents: [] });
      });

      // oxfmt-ignore
      it.each([
        // author's name       e-mail              name kept        e-mail kept
        ["Eve\nparent 000",    "e@x>\nfoo <y@z",   "Eve parent 000", "e@xfooy@z"],
        ["<script>",           "<a@b>",            "script",         "a@b"],
        ["",                   "",                 "Unknown",        "unknown@cms.invalid"],
        ["\0\r\n",             "\t",               "Unknown",        "unknown@cms.invalid"],
        ["Zoë 日本",           "zoë@example.org",  "Zoë 日本",       "zoë@example.org"],
      ])("cleans the signature %j <%j>", async (name, email, keptName, keptEmail) => {
        const id = await commit(repo, { "content/a.yaml": "a: 1\n" }, { author: { name, email } });
        const [entry] = await logOf(repo, id);
        expect(entry!.author).toEqual({ name: keptName, email: keptEmail });
        expect(entry!.parents).toHaveLength(1);
      });

      it("is never older than its parent", async () => {
        const first = await commit(repo, { "a.yaml": "1\n" }, { at: instantOf(NOON + 5_000) });
        const second = await commit(repo, { "a.yaml": "2\n" }, { at: instantOf(NOON) });
        const entries = await logOf(repo, second);
        expect(entries.slice(0, 2).map(({ id }) => id)).toEqual([second, first]);
        expect(entries[0]!.at).toBe(instantOf(NOON + 5_000));
      });

      it.each([
        ...["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/"],
        ...[".git/config", "x/.GIT/hooks", "git~1/x", "a\\b", "a\0b", "a\nb"],
      ])("refuses the path %j", async (path) => {
        const { head } = await repo.state();
        const batch = { base: head, commits: [plan({ [path]: "x\n" })], expect: new Map([[path, null]]) };
        await expect(repo.commit(batch)).rejects.toMatchObject({ code: "invalid" });
        expect((await repo.state()).head).toBe(head);
      });

      it("refuses a file where a folder is, and a folder where a file is", async () => {
        for (const path of ["content/pages/home.yaml/below.yaml"]) {
          await expect(commit(repo, { [path]: "x\n" })).rejects.toMatchObject({ code: "conflict" });
        }
        const base = (await repo.state()).head;
        const batch = { base, commits: [plan({ "content/pages": "x\n" })], expect: new Map([["content/pages", null]]) };
        await expect(repo.commit(batch)).rejects.toMatchObject({ code: "conflict" });
      });

      it("fails with the reason while a merge is in progress", async () => {
        const batch = await batchOf(repo, plan({ "content/pages/home.yaml": "title: Start\n" }));
        person.beginMerge();
        expect((await repo.state()).blocked).toMatch(/merge/i);
        await expect(repo.commit(batch)).rejects.toMatchObject({ code: "unavailable" });
        expect(person.text("content/pages/home.yaml")).toBe("title: Home\n");
      });
    });

    describe("a batch", () => {
      it("is so many commits, one on top of the other", async () => {
        const base = (await repo.state()).head;
        const plans = [
          plan({ "content/a.yaml": "1\n", "content/b.yaml": "1\n" }, { message: "One" }),
          plan({ "content/a.yaml": "2\n", "content/b.yaml": null }, { message: "Two" }),
          plan({ "content/b.yaml": "3\n", "content/pages/home.yaml": null }, { message: "Three" }),
        ];
        const ids = made(await repo.commit(await batchOf(repo, ...plans)));
        const entries = await logOf(repo, ids[2]!, base);
        expect(entries.map(({ message }) => message)).toEqual(["Three\n", "Two\n", "One\n"]);
        expect(entries.map(({ id }) => id)).toEqual([...ids].reverse());
        expect(await textAt(repo, ids[0]!, "content/a.yaml")).toBe("1\n");
        expect(await textAt(repo, ids[1]!, "content/b.yaml")).toBeUndefined();
        expect(person.text("content/a.yaml")).toBe("2\n");
        expect(person.text("content/b.yaml")).toBe("3\n");
        expect(person.text("content/pages/home.yaml")).toBeUndefined();
      });

      it("is not made in part", async () => {
        const { head } = await repo.state();
        const plans = [plan({ "content/a.yaml": "1\n" }), plan({ "content/pages/home.yaml/x.yaml": "1\n" })];
        await expect(batchOf(repo, ...plans).then((batch) => repo.commit(batch))).rejects.toMatchObject({
          code: "conflict",
        });
        expect((await repo.state()).head).toBe(head);
        expect(person.text("content/a.yaml")).toBeUndefined();
      });

      it("is not made when the branch moved", async () => {
        const batch = await batchOf(repo, plan({ "content/pages/home.yaml": "title: Start\n" }));
        person.save("content/pages/about.yaml", "title: Moved\n");
        const head = await person.commit("By hand");
        expect(await repo.commit(batch)).toEqual({ made: false, moved: "head" });
        expect((await repo.state()).head).toBe(head);
        expect(person.text("content/pages/home.yaml")).toBe("title: Home\n");
      });

      it.each<[string, (person: Person) => void]>([
        ["saved", (person) => person.save("content/pages/home.yaml", "title: By hand\n")],
        ["deleted", (person) => person.erase("content/pages/home.yaml")],
        ["made", (person) => person.save("content/new.yaml", "mine\n")],
      ])("is not made when a file was %s by hand meanwhile", async (_what, act) => {
        const { head } = await repo.state();
        const batch = await batchOf(
          repo,
          plan({ "content/pages/home.yaml": "title: Start\n", "content/new.yaml": "ours\n" }),
        );
        act(person);
        const texts = [person.text("content/pages/home.yaml"), person.text("content/new.yaml")];
        expect(await repo.commit(batch)).toEqual({ made: false, moved: "files" });
        expect([person.text("content/pages/home.yaml"), person.text("content/new.yaml")]).toEqual(texts);
        expect((await repo.state()).head).toBe(head);
      });

      it("loses none of 50 that come at once", async () => {
        const texts = Array.from({ length: 50 }, (_, i) => `n: ${i}\n`);
        const ids = await Promise.all(
          texts.map((text, i) =>
            commitStubbornly(repo, plan({ [`content/n/${i}.yaml`]: text }, { message: `Add ${i}` })),
          ),
        );
        const { head } = await repo.state();
        const reachable = new Set((await logOf(repo, head!)).map(({ id }) => id));
        expect(ids.flat().filter((id) => !reachable.has(id))).toEqual([]);
        expect(new Set(ids.flat()).size).toBe(50);
        expect((await repo.tree(head!, ["content/n"])).size).toBe(50);
        expect((await repo.files(["content/n"])).size).toBe(50);
      });
    });

    describe("a merge", () => {
      const HOME = "content/pages/home.yaml";
      const ABOUT = "content/pages/about.yaml";
      const NEW = "content/pages/2026/new.yaml";
      const head = async () => (await repo.state()).head!;
      /** What the other line changed since the branch's commit, as a fast-forward or for a merge commit. */
      const planOf = async (base: Oid, other: Oid, from: Oid): Promise<Merge> => ({
        base,
        other,
        commit: null,
        changes: new Map([...(await repo.differences(from, other))].map(([path, { after }]) => [path, after])),
      });
      const MESSAGE = { author: EDITOR, at: instantOf(NOON), message: "Merge\n\nCms-Action: merge" };

      it("tells the differences of two commits", async () => {
        const base = await head();
        const other = await person.receive(base, { [HOME]: "title: There\n", [NEW]: "n: 1\n", [ABOUT]: null }, "There");
        const differences = await repo.differences(base, other);
        expect([...differences.keys()].sort()).toEqual([NEW, ABOUT, HOME].sort());
        expect(differences.get(NEW)).toMatchObject({ before: null, after: { mode: "100644" } });
        expect(differences.get(ABOUT)!.after).toBeNull();
        await expect(repo.differences(base, "0123456789".repeat(4))).rejects.toMatchObject({ code: "not_found" });
      });

      it("moves the branch forward to a commit that was fetched", async () => {
        const base = await head();
        const other = await person.receive(base, { [HOME]: "title: There\n", [NEW]: "n: 1\n", [ABOUT]: null }, "There");
        expect(await repo.merge(await planOf(base, other, base))).toEqual({ made: true, commits: [other] });
        expect(await head()).toBe(other);
        expect([HOME, NEW, ABOUT].map(person.text)).toEqual(["title: There\n", "n: 1\n", undefined]);
        expect(await repo.tree(other, [""])).toEqual(
          new Map([...(await repo.files([""]))].map(([path, { oid }]) => [path, oid])),
        );
        await commit(repo, { [HOME]: "title: Again\n" });
      });

      it("makes a commit with two parents, and writes what is new in it", async () => {
        const root = await head();
        const other = await person.receive(root, { [HOME]: "title: There\n", [NEW]: "n: 1\n" }, "There");
        const base = await commit(repo, { [ABOUT]: "title: Here\n", [HOME]: "title: Here\n" });
        const merged = Buffer.from("title: Both\n");
        const { changes } = await planOf(base, other, root);
        const file = { mode: "100644", oid: oidOf("blob", merged), bytes: merged };
        const result = await repo.merge({ base, other, commit: MESSAGE, changes: new Map([...changes, [HOME, file]]) });
        const [id] = made(result);
        const [entry] = await logOf(repo, id!, base);
        expect(entry).toMatchObject({ id, parents: [base, other], author: EDITOR, message: `${MESSAGE.message}\n` });
        expect([HOME, ABOUT, NEW].map(person.text)).toEqual(["title: Both\n", "title: Here\n", "n: 1\n"]);
        expect((await logOf(repo, id!, null)).map((each) => each.id)).toEqual(
          expect.arrayContaining([id, base, other, root]),
        );
      });

      it("can record a merge that changes nothing", async () => {
        const root = await head();
        const other = await person.receive(root, { [HOME]: "title: Same\n" }, "There");
        const base = await commit(repo, { [HOME]: "title: Same\n" });
        const [id] = made(await repo.merge({ base, other, commit: MESSAGE, changes: new Map() }));
        expect((await logOf(repo, id!, base))[0]!.parents).toEqual([base, other]);
      });

      it("can be of the branch alone: a commit whose files are stored already, or new", async () => {
        const before = await repo.read(HOME);
        const base = await commit(repo, { [HOME]: "title: Start\n", [NEW]: "n: 1\n" });
        const bytes = Buffer.from("title: Also\n");
        const changes = new Map([
          [HOME, { mode: "100644", oid: before!.oid }],
          [ABOUT, { mode: "100644", oid: oidOf("blob", bytes), bytes }],
          [NEW, null],
        ]);
        const [id] = made(await repo.merge({ base, other: null, commit: MESSAGE, changes }));
        expect((await logOf(repo, id!, base))[0]).toMatchObject({ id, parents: [base], author: EDITOR });
        expect([HOME, ABOUT, NEW].map(person.text)).toEqual(["title: Home\n", "title: Also\n", undefined]);
        expect([await textAt(repo, id!, ABOUT), await textAt(repo, id!, NEW)]).toEqual(["title: Also\n", undefined]);
        const late = { base, other: null, commit: MESSAGE, changes: new Map([[NEW, null]]) };
        expect(await repo.merge(late)).toEqual({ made: false, moved: "head" });
        person.save(HOME, "title: By hand\n");
        const undo = { ...late, base: id!, changes: new Map([[HOME, { mode: "100644", oid: oidOf("blob", bytes) }]]) };
        await expect(repo.merge(undo)).rejects.toMatchObject({ code: "conflict" });
        expect(person.text(HOME)).toBe("title: By hand\n");
      });

      it("is not made when the branch moved", async () => {
        const base = await head();
        const merge = await planOf(base, await person.receive(base, { [HOME]: "title: There\n" }, "There"), base);
        const moved = await commit(repo, { [ABOUT]: "title: Moved\n" });
        expect(await repo.merge(merge)).toEqual({ made: false, moved: "head" });
        expect(await head()).toBe(moved);
        expect(person.text(HOME)).toBe("title: Home\n");
      });

      it.each<[string, Path, (person: Person) => void]>([
        ["saved", HOME, (person) => person.save(HOME, "title: By hand\n")],
        ["deleted", HOME, (person) => person.erase(HOME)],
        ["made", NEW, (person) => person.save(NEW, "mine\n")],
      ])("is refused, naming the file, when one was %s by hand", async (_what, path, act) => {
        const base = await head();
        const other = await person.receive(base, { [HOME]: "title: There\n", [NEW]: "n: 1\n" }, "There");
        act(person);
        const texts = [HOME, NEW].map(person.text);
        const merging = repo.merge(await planOf(base, other, base));
        await expect(merging).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(path) });
        expect(await head()).toBe(base);
        expect([HOME, NEW].map(person.text)).toEqual(texts);
      });

      it("leaves alone what it does not change, and what is as it is to be", async () => {
        const base = await head();
        const other = await person.receive(base, { [HOME]: "title: There\n" }, "There");
        person.save(HOME, "title: There\n");
        person.save(ABOUT, "title: Half done\n");
        made(await repo.merge(await planOf(base, other, base)));
        expect([HOME, ABOUT].map(person.text)).toEqual(["title: There\n", "title: Half done\n"]);
      });

      it.each([".git/config", "a/.GIT/x", "a\\b"])("refuses the path %j", async (path) => {
        const base = await head();
        const file = { mode: "100644", oid: (await repo.read(HOME))!.oid };
        const merge = { base, other: base, commit: MESSAGE, changes: new Map([[path, file]]) };
        await expect(repo.merge(merge)).rejects.toMatchObject({ code: "invalid" });
        expect(await head()).toBe(base);
      });

      it("fails with the reason while another merge is in progress", async () => {
        const base = await head();
        const merge = await planOf(base, await person.receive(base, { [HOME]: "title: There\n" }, "There"), base);
        person.beginMerge();
        await expect(repo.merge(merge)).rejects.toMatchObject({ code: "unavailable" });
        expect(person.text(HOME)).toBe("title: Home\n");
      });
    });

    describe("the log", () => {
      it("tells only of the folders asked for", async () => {
        const id = await commit(repo, {
          "content/pages/home.yaml": "title: Start\n",
          "media/logo.svg": "<svg></svg>\n",
        });
        const changed = async (...under: Path[]) => [...(await logOf(repo, id, null, under))[0]!.changed.keys()].sort();
        expect(await changed("content")).toEqual(["content/pages/home.yaml"]);
        expect(await changed("media/logo.svg")).toEqual(["media/logo.svg"]);
        expect(await changed("content/menus")).toEqual([]);
        expect(await changed("")).toEqual(["content/pages/home.yaml", "media/logo.svg"]);
        expect(await changed("conten")).toEqual([]);
      });

      it("goes from one commit back to another", async () => {
        const base = (await repo.state()).head!;
        const ids: Oid[] = [];
        for (const i of [1, 2, 3, 4]) ids.push(await commit(repo, { "content/a.yaml": `${i}\n` }));
        const found = async (from: Oid, until: Oid | null) => (await logOf(repo, from, until)).map(({ id }) => id);
        expect(await found(ids[3]!, ids[1]!)).toEqual([ids[3], ids[2]]);
        expect(await found(ids[3]!, null)).toEqual([ids[3], ids[2], ids[1], ids[0], base]);
        expect(await found(ids[0]!, ids[3]!)).toEqual([]);
        expect(await found(ids[2]!, ids[2]!)).toEqual([]);
      });

      it("begins with the files of the first commit", async () => {
        const first = (await logOf(repo, (await repo.state()).head!)).at(-1)!;
        expect(first.parents).toEqual([]);
        expect(first.changed.size).toBe(5);
      });
    });
  });
}
