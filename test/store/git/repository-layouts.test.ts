/** Unusual repositories: each is supported correctly, or refused with its name and the solution. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import type { Repo } from "../../../src/store/repo.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { commit, logOf, plan } from "./repo-contract.ts";
import { contentOver, create, EDITH, handsOn } from "../store-site.ts";

const HOME = "content/home.yaml";
const FILES = { [HOME]: "title: Home\n", "content/about.yaml": "title: About\n", "media/a.txt": "a\n" };

let site: GitSite;
let repo: Repo | undefined;
/** Folders made beside the site. */
let others: string[];

beforeEach(() => {
  site = gitSite(FILES);
  others = [];
});
afterEach(async () => {
  await repo?.close();
  repo = undefined;
  site.remove();
  for (const dir of others) rmSync(dir, { recursive: true, force: true });
});

const open = async (dir = site.dir): Promise<Repo> =>
  (repo = await openGitRepo(dir, { env: quietEnv(), lockWaitMs: 20 }));
const inGit = (name: string) => join(site.dir, ".git", name);
const beside = (suffix: string) => {
  const dir = `${site.dir}-${suffix}`;
  others.push(dir);
  return dir;
};

/** As a later git would mark a repository that earlier ones must not touch. */
const extend = (extension: string) =>
  appendFileSync(inGit("config"), `[core]\n\trepositoryformatversion = 1\n[extensions]\n\t${extension}\n`);

describe("refused when opened", () => {
  it.each<[string, () => string | void, RegExp]>([
    ["no repository", () => rmSync(inGit(""), { recursive: true }), /is no git repository.*cms init/],
    [
      "a folder of a larger repository",
      () => join(site.dir, "content"),
      /is a folder of the repository .*git init.*git subtree split.*move the site to the top/,
    ],
    [
      "a bare repository",
      () => (site.git("clone", "--quiet", "--bare", ".", beside("bare")), others[0]),
      /bare repository.*clone it/,
    ],
    ["core.bare", () => void site.git("config", "core.bare", "true"), /core\.bare/],
    ["core.worktree", () => void site.git("config", "core.worktree", "/elsewhere"), /core\.worktree/],
    [
      "a linked worktree",
      () => (site.git("worktree", "add", "--quiet", beside("tree")), others[0]),
      /linked worktree.*ordinary clone/,
    ],
    [
      "SHA-256 ids",
      () => {
        site.remove();
        site = gitSite(FILES, ["--object-format=sha256"]);
      },
      /sha256 object ids.*--object-format=sha1/,
    ],
    ["refs in a reftable", () => extend("refStorage = reftable"), /reftable.*git refs migrate/],
    [
      "a partial clone as old gits mark it",
      () => void site.git("config", "extensions.partialClone", "origin"),
      /partial clone/,
    ],
    [
      "a partial clone",
      () => {
        site.git("config", "uploadpack.allowFilter", "true");
        site.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", `file://${site.dir}`, beside("partial"));
        return others[0];
      },
      /partial clone.*full one/,
    ],
    [
      "a partial clone whose configuration is gone",
      () => {
        site.git("config", "uploadpack.allowFilter", "true");
        site.git("clone", "--quiet", "--filter=tree:0", "--no-checkout", `file://${site.dir}`, beside("partial"));
        site.git("-C", others[0]!, "remote", "remove", "origin");
        return others[0];
      },
      /partial clone.*full one/,
    ],
    ["an unknown extension", () => extend("quantum"), /"quantum"/],
    [
      "a later format",
      () => appendFileSync(inGit("config"), "[core]\n\trepositoryformatversion = 2\n"),
      /format version 2/,
    ],
    ["a split index", () => void site.git("update-index", "--split-index"), /split.*--no-split-index/],
    [
      "a sparse checkout",
      () => void site.git("sparse-checkout", "set", "content"),
      /sparse.*git sparse-checkout disable/,
    ],
    [
      "a sparse index",
      () => {
        site.git("sparse-checkout", "set", "--cone", "--sparse-index", "content");
        site.git("config", "--worktree", "core.sparseCheckout", "false");
      },
      /sparse.*git sparse-checkout disable/,
    ],
    [
      "borrowed objects",
      () => (site.git("clone", "--quiet", "--shared", ".", beside("shared")), others[0]),
      /borrows objects.*git repack/,
    ],
    ["HEAD that names nothing", () => writeFileSync(inGit("HEAD"), ""), /HEAD names no branch/],
  ])("%s", async (_what, make, message) => {
    const dir = make() ?? site.dir;
    await expect(open(dir)).rejects.toMatchObject({ code: "setup", message: expect.stringMatching(message) });
  });
});

describe("read, but not written", () => {
  const conflicting = () => {
    site.git("switch", "--quiet", "--create", "side");
    site.save(HOME, "title: Side\n");
    site.git("commit", "--quiet", "--all", "--message=Side");
    site.git("switch", "--quiet", "main");
    site.save(HOME, "title: Main\n");
    site.git("commit", "--quiet", "--all", "--message=Main");
  };
  const failing = (...args: string[]) => {
    expect(() => site.git(...args)).toThrow();
  };

  it.each<[string, () => void, RegExp]>([
    ["HEAD is detached", () => site.git("checkout", "--quiet", "--detach"), /detached.*git switch/],
    ["a merge is in progress", () => (conflicting(), failing("merge", "side")), /merge is in progress.*--abort/],
    ["a rebase is in progress", () => (conflicting(), failing("rebase", "side")), /detached|rebase is in progress/],
    [
      "a rebase was cut off as it began, as on a full disk",
      () => {
        mkdirSync(inGit("rebase-merge"));
        writeFileSync(inGit("rebase-merge/head-name"), "");
        failing("rebase", "--abort");
      },
      /git rebase --quit/,
    ],
    [
      "a cherry-pick is in progress",
      () => (conflicting(), failing("cherry-pick", "side")),
      /cherry-pick is in progress/,
    ],
    [
      "a revert is in progress",
      () => (conflicting(), failing("revert", "--no-edit", "HEAD~1", "side")),
      /revert is in progress/i,
    ],
    ["a bisect is in progress", () => site.git("bisect", "start"), /bisect is in progress.*git bisect reset/],
    ["the branch is an orphan", () => site.git("switch", "--quiet", "--orphan", "fresh"), /fresh has no commit/],
    ["the branch's file is empty", () => writeFileSync(inGit("refs/heads/main"), ""), /holds no commit id.*git reflog/],
    [
      "the branch's file is empty, and an older value is packed",
      () => {
        site.git("pack-refs", "--all");
        writeFileSync(inGit("refs/heads/main"), "");
      },
      /holds no commit id/,
    ],
    [
      "the branch's file is garbage",
      () => writeFileSync(inGit("refs/heads/main"), "\0".repeat(41)),
      /holds no commit id/,
    ],
    ["the branch's file is gone", () => rmSync(inGit("refs/heads/main")), /main has no commit, though/],
  ])("while %s", async (_what, make, message) => {
    make();
    const opened = await open();
    const { head, blocked } = await opened.state();
    expect(blocked).toMatch(message);
    await opened.files(["content"]);
    const look = () => [site.git("status", "--porcelain", "--branch"), site.text(".git/refs/heads/main")];
    const before = look();
    const batch = {
      base: head,
      expect: new Map([["content/new.yaml", null]]),
      commits: [plan({ "content/new.yaml": "x\n" })],
    };
    await expect(opened.commit(batch)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(message),
    });
    expect(look()).toEqual(before);
  });

  it("a file with a conflict that is not resolved", async () => {
    site.save(HOME, "title: Stashed\n");
    site.git("stash", "--quiet");
    site.save(HOME, "title: Other\n");
    site.git("commit", "--quiet", "--all", "--message=Other");
    failing("stash", "pop");
    const opened = await open();
    await expect(commit(opened, { [HOME]: "title: Start\n" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/not resolved/),
    });
    await commit(opened, { "content/about.yaml": "title: Other page\n" });
    expect(site.git("status", "--porcelain")).toBe(`UU ${HOME}\n`);
  });
});

describe("fully supported", () => {
  it.each<[string, () => string | void]>([
    ["an index of version 4", () => void site.git("update-index", "--index-version", "4")],
    [
      "an index without checksum",
      () => {
        const bytes = readFileSync(inGit("index"));
        writeFileSync(inGit("index"), bytes.fill(0, bytes.length - 20));
      },
    ],
    ["an index with caches of git's", () => void (site.git("update-index", "--untracked-cache"), site.git("status"))],
    ["no index", () => rmSync(inGit("index"))],
    ["a broken index", () => writeFileSync(inGit("index"), readFileSync(inGit("index")).subarray(0, 100))],
    ["everything packed", () => void (site.git("gc", "--quiet", "--prune=now"), site.git("pack-refs", "--all"))],
    [
      "a shallow clone",
      () => {
        site.save(HOME, "title: Second\n");
        site.git("commit", "--quiet", "--all", "--message=Second");
        site.git("clone", "--quiet", "--depth=1", `file://${site.dir}`, beside("shallow"));
        return others[0];
      },
    ],
    [
      "worktreeConfig",
      () => void (site.git("sparse-checkout", "set", "content"), site.git("sparse-checkout", "disable")),
    ],
    ["no reflogs", () => rmSync(inGit("logs"), { recursive: true })],
    [
      "a submodule elsewhere",
      () => {
        site.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", `file://${site.dir}`, "themes/sub");
        site.git("commit", "--quiet", "--message=Submodule");
      },
    ],
    [
      "an executable page",
      () => {
        chmodSync(join(site.dir, HOME), 0o755);
        site.git("commit", "--quiet", "--all", "--message=Mode");
      },
    ],
    ["core.autocrlf=input", () => void site.git("config", "core.autocrlf", "input")],
    ["core.autocrlf=true", () => void site.git("config", "core.autocrlf", "true")],
    [
      "text=auto",
      () => {
        site.save(".gitattributes", "* text=auto\n");
        site.git("add", "--all");
        site.git("commit", "--quiet", "--message=Attributes");
      },
    ],
    [
      "core.fileMode=false",
      () => {
        site.git("config", "core.fileMode", "false");
        chmodSync(join(site.dir, HOME), 0o755);
      },
    ],
    [
      "what we write in .gitignore",
      () => {
        site.save(".gitignore", "new/\nhome.yaml\n");
        site.git("add", "--all");
        site.git("commit", "--quiet", "--message=Ignore");
      },
    ],
    ["core.sharedRepository", () => void site.git("config", "core.sharedRepository", "group")],
    ["commit.gpgsign, and no key", () => void site.git("config", "commit.gpgsign", "true")],
    [
      "a name that is no UTF-8 in a commit",
      () => {
        writeFileSync(Buffer.concat([Buffer.from(`${site.dir}/media/caf`), Buffer.from([0xe9])]), "x");
        site.git("add", "--all");
        site.git("commit", "--quiet", "--message=Latin");
      },
    ],
    [
      "names that differ by case and Unicode form",
      () => {
        for (const name of ["Home", "caf\u00e9", "cafe\u0301"]) site.save(`content/${name}.yaml`, "title: x\n");
        site.git("add", "--all");
        site.git("commit", "--quiet", "--message=Twins");
      },
    ],
  ])("with %s", async (_what, make) => {
    const dir = make() ?? site.dir;
    const git = (...args: string[]) => site.git("-C", dir, ...args);
    const opened = await open(dir);
    const before = [...(await opened.tree((await opened.state()).head!, [""])).keys()];
    const first = await commit(opened, { [HOME]: "title: Start\n", "content/new/page.yaml": "a: 1\n" });
    const id = await commit(opened, { "content/about.yaml": null });
    expect(git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
    expect(git("status", "--porcelain", "--ignore-submodules")).toBe("");
    expect(git("rev-parse", "HEAD").trim()).toBe(id);
    const after = [...(await opened.tree(id, [""])).keys()];
    expect(after.sort()).toEqual(
      [...before.filter((path) => path !== "content/about.yaml"), "content/new/page.yaml"].sort(),
    );
    expect((await logOf(opened, id)).map((entry) => entry.id).slice(0, 2)).toEqual([id, first]);
  });

  it("with an index of version 3, whose promise to add a file stays", async () => {
    site.save("content/later.yaml", "later\n");
    site.git("add", "--intent-to-add", "content/later.yaml");
    const opened = await open();
    await commit(opened, { [HOME]: "title: Start\n", "content/new.yaml": "a: 1\n" });
    expect(site.git("status", "--porcelain")).toBe(" A content/later.yaml\n");
  });

  it("ends a shallow history at its boundary", async () => {
    site.save(HOME, "title: Second\n");
    site.git("commit", "--quiet", "--all", "--message=Second");
    site.git("clone", "--quiet", "--depth=1", `file://${site.dir}`, beside("shallow"));
    const opened = await open(others[0]);
    expect((await logOf(opened, (await opened.state()).head!)).map(({ parents }) => parents)).toEqual([[]]);
  });

  it("does not write into a submodule", async () => {
    site.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", `file://${site.dir}`, "content/sub");
    site.git("commit", "--quiet", "--message=Submodule");
    const opened = await open();
    expect((await opened.files(["content"])).get("content/sub")?.unreadable).toBeTruthy();
    await expect(commit(opened, { "content/sub/x.yaml": "1\n" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("keeps the private state away from others", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "title: Start\n" });
    expect(site.git("status", "--porcelain", "--ignored")).toBe("");
    expect(opened.stateDir).toBe(join(site.dir, ".git/cms"));
  });
});

describe("unsupported names are reported", () => {
  const CASES: [what: string, name: Buffer, shown: string, message: RegExp][] = [
    ["a line break", Buffer.from("a\nb.yaml"), '"content/pages/a\\nb.yaml"', /line break/],
    ["a tab", Buffer.from("a\tb.yaml"), '"content/pages/a\\tb.yaml"', /tab/],
    ["a backslash", Buffer.from("a\\b.yaml"), "content/pages/a\\b.yaml", /backslash/],
    ["bytes that are no UTF-8", Buffer.from("caf\xe9.yaml", "latin1"), "content/pages/caf\uFFFD.yaml", /not UTF-8/],
    ["what stands for git's folder", Buffer.from("git~1"), "content/pages/git~1", /git's own folder/],
  ];
  const bytesPath = (name: Buffer) => Buffer.concat([Buffer.from(`${site.dir}/content/pages/`), name]);

  it.each(CASES)("%s, in the name of a file", async (_what, name, shown, message) => {
    site.save("content/pages/fine.yaml", "id: 1\n");
    writeFileSync(bytesPath(name), "id: 2\n");
    const content = await contentOver({ repo: await openGitRepo(site.dir, { env: quietEnv() }), hands: handsOn(site) });
    const told = content.store.current.problems.map(showProblem).filter((line) => line.startsWith(shown));
    expect(told).toEqual([expect.stringMatching(message)]);
    expect(told[0]).not.toContain("\n");
    expect(content.logged).toContain(told[0]);
    expect([...content.store.current.table(PAGES).byBase.keys()]).toEqual(["content/pages/fine"]);
  });

  it.each(CASES)("%s, in the name of a folder", async (_what, name, shown, message) => {
    site.save("content/pages/fine.yaml", "id: 1\n");
    mkdirSync(bytesPath(name));
    writeFileSync(Buffer.concat([bytesPath(name), Buffer.from("/below.yaml")]), "id: 2\n");
    const content = await contentOver({ repo: await openGitRepo(site.dir, { env: quietEnv() }), hands: handsOn(site) });
    expect(content.store.current.problems.map(showProblem).filter((line) => line.startsWith(shown))).toEqual([
      expect.stringMatching(message),
    ]);
    // Others are written, and these stay untracked.
    await content.store.transact(EDITH, create("New"));
    expect(await content.made()).toHaveLength(1);
    expect(site.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  });

  it("a name with the very character that stands for broken ones is fine", async () => {
    site.save("content/pages/a\uFFFDb.yaml", "id: 1\n");
    expect((await (await open()).files(["content"])).get("content/pages/a\uFFFDb.yaml")?.unreadable).toBeUndefined();
  });
});

describe("core.sharedRepository", () => {
  /** Modes of everything in git's folder that a commit makes or writes, ours and the lists of loose objects apart. */
  function modesIn(dir: string): Map<string, string> {
    const modes = new Map<string, string>();
    const walk = (below: string): void => {
      for (const entry of readdirSync(join(dir, ".git", below), { withFileTypes: true })) {
        const path = below ? `${below}/${entry.name}` : entry.name;
        if (/^(?:cms|hooks|info|config|description|COMMIT_EDITMSG|objects\/(?:info|pack))$/.test(path)) continue;
        const { mode } = lstatSync(join(dir, ".git", path));
        // Objects are named by their content, which differs; their modes do not.
        const name = path.replace(/^objects\/..$/, "objects/xx").replace(/^objects\/..\/.*/, "objects/xx/yy");
        modes.set(name, (mode & 0o7777).toString(8));
        if (entry.isDirectory()) walk(path);
      }
    };
    walk("");
    return modes;
  }

  let mask: number;
  beforeEach(() => (mask = process.umask(0o077)));
  afterEach(() => void process.umask(mask));

  it.each(["false", "umask", "group", "true", "1", "all", "world", "2", "0640", "0660", "0664"])(
    "%s: modes are those that git gives",
    async (value) => {
      // Made while the umask lets others in nowhere, so that every bit for them is the setting's.
      const [mine, its] = [gitSite({}, [`--shared=${value}`]), gitSite({}, [`--shared=${value}`])];
      others.push(mine.dir, its.dir);
      its.save("content/new/page.yaml", "a: 1\n");
      its.git("add", "--all");
      its.git("commit", "--quiet", "--message=New");
      repo = await openGitRepo(mine.dir, { env: quietEnv() });
      await commit(repo, { "content/new/page.yaml": "a: 1\n" });
      expect(Object.fromEntries(modesIn(mine.dir))).toEqual(Object.fromEntries(modesIn(its.dir)));
      expect(lstatSync(join(mine.dir, ".git/cms")).mode & 0o777).toBe(0o700);
      expect(lstatSync(join(mine.dir, "content/new/page.yaml")).mode & 0o777).toBe(
        lstatSync(join(its.dir, "content/new/page.yaml")).mode & 0o777,
      );
      expect(mine.complaints()).toBe("");
    },
  );
});
