/** Syncs of files that git converts: Git LFS, and filters that only git can run. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePointer, sha256Of } from "../../../src/store/git/lfs/pointer.ts";
import { HAS_GIT_LFS } from "../../support/git-lfs.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const NOTES = "notes/secret.txt";
const PICTURE = "media/a.jpg";

const withRot13 = (clone: Clone): Clone => {
  clone.git("config", "filter.rot.clean", "tr a-zA-Z n-za-mN-ZA-M");
  clone.git("config", "filter.rot.smudge", "tr n-za-mN-ZA-M a-zA-Z");
  clone.git("config", "filter.rot.required", "true");
  clone.git("checkout", "HEAD", "--", ".");
  return clone;
};

const stored = (clone: Clone, path: string): string => clone.git("show", `HEAD:${path}`);

describe("files with a filter of git's", () => {
  const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join("");
  const files = { ".gitattributes": "notes/** filter=rot\n", [NOTES]: "Uryyb\n", "plain.txt": "Hello\n" };
  const pair = () => {
    const remote = bareRemote({ "plain.txt": "Hello\n" });
    const [a, b] = [withRot13(remote.clone()), withRot13(remote.clone())];
    for (const [path, text] of Object.entries({ ...files, [NOTES]: lines("one", "two", "three", "four") }))
      b.save(path, text);
    b.commit("Begin");
    b.git("push", "--quiet");
    a.git("pull", "--quiet");
    expect(stored(b, NOTES)).toBe(lines("bar", "gjb", "guerr", "sbhe"));
    return { a, b };
  };

  it("are forwarded, created, removed and merged by line as a checkout writes them", async () => {
    const { a, b } = pair();
    b.save(NOTES, lines("ONE", "two", "three", "four"));
    b.save("notes/new.txt", "new\n");
    b.commit("Theirs");
    b.git("push", "--quiet");
    expect(await a.sync()).toMatchObject({ outcome: "forwarded" });
    expect(a.text(NOTES)).toBe(lines("ONE", "two", "three", "four"));
    expect(a.text("notes/new.txt")).toBe("new\n");
    b.save(NOTES, lines("ONE!", "two", "three", "four"));
    b.erase("notes/new.txt");
    b.commit("Theirs again");
    b.git("push", "--quiet");
    a.save(NOTES, lines("ONE", "two", "three", "FOUR"));
    a.commit("Ours");
    expect(await a.sync()).toMatchObject({ outcome: "merged", conflicts: [] });
    expect(a.text(NOTES)).toBe(lines("ONE!", "two", "three", "FOUR"));
    expect(a.text("notes/new.txt")).toBeUndefined();
    expect(stored(a, NOTES)).toBe(lines("BAR!", "gjb", "guerr", "SBHE"));
    for (const clone of [a, b]) {
      await clone.sync();
      expect(complaintsOf(clone)).toBe("");
    }
  });

  it("hold the sync where they have changes that are not committed, or the filter fails", async () => {
    const { a, b } = pair();
    b.save(NOTES, "theirs\n");
    b.commit("Theirs");
    b.git("push", "--quiet");
    a.save(NOTES, "edited by hand\n");
    await expect(a.sync()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(NOTES) });
    expect(a.text(NOTES)).toBe("edited by hand\n");
    a.git("restore", NOTES);
    a.git("config", "filter.rot.smudge", "echo locked >&2; false");
    const head = a.head();
    await expect(a.sync()).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(/locked/) });
    expect([a.head(), a.text(NOTES)]).toEqual([head, lines("one", "two", "three", "four")]);
    a.git("config", "filter.rot.smudge", "tr n-za-mN-ZA-M a-zA-Z");
    await a.sync();
    expect(a.text(NOTES)).toBe("theirs\n");
    expect(complaintsOf(a)).toBe("");
  });
});

describe("attributes that a merge itself changes", () => {
  const TEXT = "plain.txt";
  /** B has committed attributes, and a change of a file and a new one that they apply to. */
  const pair = (attributes: string, theirs: string, added: string) => {
    const remote = bareRemote({ [TEXT]: "one\ntwo\n" });
    const [a, b] = [withRot13(remote.clone()), withRot13(remote.clone())];
    b.save(".gitattributes", attributes);
    b.save(TEXT, theirs);
    b.save("new.txt", added);
    b.commit("Theirs");
    b.git("push", "--quiet");
    a.save("ours.yaml", "ours\n");
    a.commit("Ours");
    return a;
  };

  it("apply to line ends from the next checkout on, and git sees no change", async () => {
    const a = pair("*.txt text eol=crlf\n", "one\r\nTWO\r\n", "new\r\n");
    expect(await a.sync()).toMatchObject({ outcome: "merged", conflicts: [] });
    expect([a.text(TEXT), a.text("new.txt")]).toEqual(["one\nTWO\n", "new\n"]);
    expect(complaintsOf(a)).toBe("");
    rmSync(join(a.dir, TEXT));
    a.git("checkout", "--", TEXT);
    expect(a.text(TEXT)).toBe("one\r\nTWO\r\n");
    expect(complaintsOf(a)).toBe("");
  });

  it("apply to filters once the files are removed and checked out, and nothing is committed before", async () => {
    const a = pair("*.txt filter=rot\n", "one\nTWO\n", "new\n");
    expect(await a.sync()).toMatchObject({ outcome: "merged", conflicts: [] });
    expect([a.text(TEXT), a.text("new.txt")]).toEqual(["bar\nGJB\n", "arj\n"]);
    const head = a.head();
    expect(await a.sync()).toMatchObject({ outcome: "unchanged" });
    expect(a.head()).toBe(head);
    // Git writes only what it finds missing or changed.
    for (const path of [TEXT, "new.txt"]) rmSync(join(a.dir, path));
    a.git("checkout", "HEAD", "--", ".");
    expect([a.text(TEXT), a.text("new.txt")]).toEqual(["one\nTWO\n", "new\n"]);
    expect(complaintsOf(a)).toBe("");
  });
});

describe.skipIf(!HAS_GIT_LFS)("files in Git LFS", () => {
  const pair = () => {
    const remote = bareRemote({ ".gitattributes": "media/** filter=lfs diff=lfs merge=lfs -text\n" });
    const [a, b] = [remote.clone(), remote.clone()];
    for (const clone of [a, b]) clone.git("lfs", "install", "--local");
    return { remote, a, b };
  };
  const objectOf = (dir: string, clone: Clone, path: string): string => {
    const { sha256 } = parsePointer(Buffer.from(stored(clone, path)))!;
    return join(dir, "lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };

  it("come with their objects, and go with them", { timeout: 60_000 }, async () => {
    const { remote, a, b } = pair();
    b.save(PICTURE, "a picture\n");
    b.commit("Picture");
    b.git("push", "--quiet");
    a.save("media/b.jpg", "another\n");
    a.commit("Ours");
    expect(await a.sync()).toMatchObject({ outcome: "merged", pushed: 2 });
    expect(a.text(PICTURE)).toBe("a picture\n");
    expect(sha256Of(readFileSync(objectOf(remote.dir, a, "media/b.jpg")))).toBe(sha256Of(Buffer.from("another\n")));
    await b.sync();
    expect(b.text("media/b.jpg")).toBe("another\n");
    for (const clone of [a, b]) {
      expect(complaintsOf(clone)).toBe("");
      expect(clone.git("lfs", "fsck")).toContain("Git LFS fsck OK");
    }
  });

  it("are fetched again where an object of the same size has another content", { timeout: 60_000 }, async () => {
    const { a, b } = pair();
    b.save(PICTURE, "a picture\n");
    b.commit("Picture");
    b.git("push", "--quiet");
    const damaged = objectOf(join(a.dir, ".git"), b, PICTURE);
    mkdirSync(dirname(damaged), { recursive: true });
    writeFileSync(damaged, "a pigture\n");
    await a.sync();
    expect([a.text(PICTURE), complaintsOf(a)]).toEqual(["a picture\n", ""]);
    expect(a.git("lfs", "fsck")).toContain("Git LFS fsck OK");
  });

  it("that are damaged on the remote fail the sync, or leave their pointers", { timeout: 60_000 }, async () => {
    const { remote, a, b } = pair();
    b.save(PICTURE, "a picture\n");
    b.commit("Picture");
    b.git("push", "--quiet");
    const damaged = objectOf(remote.dir, b, PICTURE);
    rmSync(damaged); // the clone may have a link to it
    writeFileSync(damaged, "a pigture\n");
    const head = a.head();
    const message = expect.stringMatching(/missing or damaged.*failed checks/);
    await expect(a.sync()).rejects.toMatchObject({ code: "unavailable", message });
    expect([a.head(), a.text(PICTURE)]).toEqual([head, undefined]);
    await a.sync({ needsLfsFiles: false });
    expect(parsePointer(Buffer.from(a.text(PICTURE)!))).toBeDefined();
    rmSync(damaged);
    writeFileSync(damaged, "a picture\n");
    a.git("lfs", "pull");
    expect([a.text(PICTURE), complaintsOf(a)]).toEqual(["a picture\n", ""]);
  });

  it("that are missing fail the sync, or leave their pointers", { timeout: 60_000 }, async () => {
    const { remote, a, b } = pair();
    b.save(PICTURE, "a picture\n");
    b.save("notes.txt", "Theirs\n");
    b.commit("Picture");
    b.git("push", "--quiet");
    rmSync(objectOf(remote.dir, b, PICTURE));
    const head = a.head();
    await expect(a.sync()).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(/Git LFS/) });
    expect([a.head(), a.text("notes.txt")]).toEqual([head, undefined]);
    await a.sync({ needsLfsFiles: false });
    expect(a.text("notes.txt")).toBe("Theirs\n");
    expect(parsePointer(Buffer.from(a.text(PICTURE)!))).toBeDefined();
    expect(complaintsOf(a)).toBe("");
  });

  it("are pushed past a hook of another program", { timeout: 60_000 }, async () => {
    const { remote, a } = pair();
    a.save(PICTURE, "a picture\n");
    a.commit("Picture");
    const ran = join(a.dir, ".git/ran");
    writeFileSync(join(a.dir, ".git/hooks/pre-push"), `#!/bin/sh\ncat > ${ran}\n`, { mode: 0o755 });
    expect(await a.sync()).toMatchObject({ pushed: 1 });
    expect(existsSync(objectOf(remote.dir, a, PICTURE))).toBe(true);
    expect(existsSync(ran)).toBe(true);
  });
});
