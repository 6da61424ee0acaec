/** A remote branch that is rewritten with `push --force`: at rest, between a fetch and a push, and again before it was followed. */
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const PATHS = [1, 2, 3].map((id) => `content/pages/page-${id}.yaml`);
const page = (id: number, title: string): string => `id: ${id}
translations:
  en:
    title: ${title}
    permalink: /page-${id}
    autopermalink: false
`;
const [ONE, TWO, THREE] = PATHS as [string, string, string];
const SITE = {
  "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
  ...Object.fromEntries(PATHS.map((path, at) => [path, page(at + 1, `Page ${at + 1}`)])),
};
const PATIENCE = { timeout: 60_000 };

/** Replaces the last commit of the remote's branch by one with the working tree of the clone. @returns the new one */
function rewrite(clone: Clone): string {
  clone.git("add", "--all");
  clone.git("commit", "--quiet", "--amend", "--message=Again");
  clone.git("push", "--quiet", "--force");
  return clone.head();
}

function push(clone: Clone, message: string): string {
  const commit = clone.commit(message);
  clone.git("push", "--quiet");
  return commit;
}

describe("a replica", PATIENCE, () => {
  async function followed() {
    const remote = bareRemote(SITE);
    const [replica, writer] = [remote.clone(), remote.clone()];
    writer.save(ONE, page(1, "First"));
    push(writer, "First");
    await replica.follow();
    return { replica, writer };
  }

  it("follows, and says so", async () => {
    const { replica, writer } = await followed();
    writer.save(ONE, page(1, "Rewritten"));
    const head = rewrite(writer);
    expect(await replica.follow()).toMatchObject({ isRewritten: true, commit: head });
    expect(replica.text(ONE)).toBe(page(1, "Rewritten"));
    expect(complaintsOf(replica)).toBe("");
  });

  it("follows once the removal of most pages is accepted", async () => {
    const { replica, writer } = await followed();
    writer.erase(ONE);
    writer.erase(TWO);
    const head = rewrite(writer);
    for (const _ of [1, 2]) await expect(replica.follow()).rejects.toThrow(/remove 2 of 3 pages/);
    expect(await replica.follow({ acceptsDeletions: true })).toMatchObject({ isRewritten: true, commit: head });
    expect(complaintsOf(replica)).toBe("");
  });

  it("follows after it died between the fetch and the move, and the branch was rewritten again", async () => {
    const { replica, writer } = await followed();
    const dead = () => Promise.reject(new Error("killed"));
    for (const title of ["Second", "Third"]) {
      writer.save(ONE, page(1, title));
      rewrite(writer);
      await expect(replica.follow({ merge: dead })).rejects.toThrow("killed");
    }
    writer.save(ONE, page(1, "Fourth"));
    rewrite(writer);
    await replica.follow();
    expect(replica.text(ONE)).toBe(page(1, "Fourth"));
  });

  it("with a commit of its own is held, also after a rewrite", async () => {
    const { replica, writer } = await followed();
    replica.save(THREE, page(3, "Mine"));
    const mine = replica.commit("Mine");
    writer.save(ONE, page(1, "Rewritten"));
    rewrite(writer);
    for (const _ of [1, 2]) await expect(replica.follow()).rejects.toThrow(/must not be written to/);
    expect(replica.head()).toBe(mine);
  });
});

/** A program that runs the commands the first time that it is called. @returns its path, which ends in `pre-push` */
function script(clone: Clone, commands: string): string {
  const path = join(clone.dir, "../once/pre-push");
  const text = `#!/bin/sh\n[ -e '${path}.done' ] && exit 0\ntouch '${path}.done'\nunset GIT_DIR\n${commands}\n`;
  clone.save("../once/pre-push", text);
  chmodSync(path, 0o755);
  return path;
}

/** Stands in for `git-upload-pack`, and runs a program when the client asks for objects that it was offered. */
const RELAY = `import { execFileSync, spawn } from "node:child_process";
const [program, folder] = process.argv.slice(2);
const child = spawn("git-upload-pack", [folder], { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (chunk) => {
  if (chunk.includes("command=fetch")) execFileSync(program);
  child.stdin.write(chunk);
});
process.stdin.on("end", () => child.stdin.end());
child.on("close", (code) => process.exit(code));
`;

describe("a writer", PATIENCE, () => {
  /** A remote with a commit of `b` that `a` lacks, which has one of its own. */
  function clones() {
    const remote = bareRemote(SITE);
    const [a, b] = [remote.clone(), remote.clone()];
    b.save(ONE, page(1, "First"));
    push(b, "First");
    a.save(TWO, page(2, "Ours"));
    return { remote, a, b, ours: a.commit("Ours") };
  }

  it("merges with what was rewritten, keeps its own commits, and says so", async () => {
    const remote = bareRemote(SITE);
    const [a, b] = [remote.clone(), remote.clone()];
    b.save(ONE, page(1, "First"));
    push(b, "First");
    await a.sync();
    a.save(TWO, page(2, "Ours"));
    const ours = a.commit("Ours");
    b.save(THREE, page(3, "Rewritten"));
    const theirs = rewrite(b);
    expect(await a.sync()).toMatchObject({ isRewritten: true, outcome: "merged" });
    for (const commit of [ours, theirs]) expect(remote.git("merge-base", commit, "main").trim()).toBe(commit);
    expect([a.text(TWO), a.text(THREE)]).toEqual([page(2, "Ours"), page(3, "Rewritten")]);
    expect(complaintsOf(a)).toBe("");
    expect(await a.sync()).toMatchObject({ isRewritten: false, outcome: "unchanged", pushed: 0 });
  });

  it("merges again where the branch is rewritten between its fetch and its push", async () => {
    const { a, b, remote, ours } = clones();
    b.save(THREE, page(3, "Rewritten"));
    const again = script(a, `git -C '${b.dir}' commit -qa --amend -m Again && git -C '${b.dir}' push -q --force`);
    a.git("config", "core.hooksPath", dirname(again));
    expect(await a.sync()).toMatchObject({ isRewritten: true, outcome: "merged" });
    for (const commit of [ours, b.head()]) expect(remote.git("merge-base", commit, "main").trim()).toBe(commit);
    expect([a.text(TWO), a.text(THREE)]).toEqual([page(2, "Ours"), page(3, "Rewritten")]);
    expect(complaintsOf(a)).toBe("");
  });

  it("goes on after a fetch during which the branch was rewritten and its commits were removed", async () => {
    const { a, b, remote, ours } = clones();
    const before = a.head();
    b.save(THREE, page(3, "Rewritten"));
    const again = script(
      a,
      `git -C '${b.dir}' commit -qa --amend -m Again && git -C '${b.dir}' push -q --force &&
       git -C '${remote.dir}' -c gc.reflogExpire=now prune --expire=now`,
    );
    a.save("../relay.mjs", RELAY);
    a.git("config", "remote.origin.uploadpack", `node '${join(a.dir, "../relay.mjs")}' '${again}'`);
    await expect(a.sync()).rejects.toThrow(/`git fetch` failed/);
    expect([a.head(), complaintsOf(a)]).toEqual([before, ""]);
    expect(await a.sync()).toMatchObject({ outcome: "merged" });
    for (const commit of [ours, b.head()]) expect(remote.git("merge-base", commit, "main").trim()).toBe(commit);
    expect(complaintsOf(a)).toBe("");
  });

  it("stops where nothing is left in common", async () => {
    const remote = bareRemote(SITE);
    const [a, b] = [remote.clone(), remote.clone()];
    b.git("checkout", "--quiet", "--orphan", "other");
    b.commit("From its beginning");
    b.git("push", "--quiet", "--force", "origin", "other:main");
    const before = a.head();
    await expect(a.sync()).rejects.toThrow(/no commit in common with this branch/);
    await expect(a.follow()).resolves.toMatchObject({ isRewritten: true });
    expect(a.head()).not.toBe(before);
  });
});
