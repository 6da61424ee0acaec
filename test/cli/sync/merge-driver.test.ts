/** Two clones and `git merge`, with the driver installed by `cms setup`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { GIT_ENV, type GitSite } from "../../store/git/git-site.ts";
import { cms, emptyFolder, serve, site } from "../process.ts";

const PAGE = "content/pages/about.yaml";
const TEXT = `id: 12
date_created: 2026-01-02T00:00:00.000Z
date_updated_at: 2026-01-02T00:00:00.000Z
ordering: 1
translations:
  en:
    title: About
    permalink: /about
    autopermalink: false
    published_at: 2026-01-02T00:00:00.000Z
  it:
    title: Chi siamo
    permalink: /chi-siamo
    autopermalink: false
    published_at: 2026-01-02T00:00:00.000Z
`;

type Change = Readonly<Record<string, string>>;

const change = (text: string, changes: Change): string =>
  Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`There is no ${from}`);
    return changed.replace(from, to);
  }, text);

/** A git command that may fail. @returns its exit code and what it said */
function git(dir: string, ...args: string[]): { code: number; out: string } {
  try {
    return { code: 0, out: execFileSync("git", args, { cwd: dir, env: GIT_ENV, encoding: "utf8", stdio: "pipe" }) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, out: stdout + stderr };
  }
}

interface Clones {
  readonly ours: GitSite;
  /** Merges what the other clone committed. */
  merge(): { code: number; out: string };
}

/** A site with the driver, and a clone of it, each with a commit of its own. */
async function clones(ours: Change, theirs: Change, path: string = PAGE): Promise<Clones> {
  const mine = site({ [PAGE]: TEXT });
  await cms(["setup", "--root", mine.dir]);
  mine.git("add", "--all");
  mine.git("commit", "--quiet", "--message=setup");
  const other = mkdtempSync(join(tmpdir(), "cms-clone-"));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  mine.git("clone", "--quiet", ".", other);
  const commit = (dir: string, changes: Change): void => {
    const before = existsSync(join(dir, path)) ? readFileSync(join(dir, path), "utf8") : "";
    writeFileSync(join(dir, path), "" in changes ? changes[""]! : change(before, changes));
    git(dir, "add", "--all");
    const made = git(
      dir,
      "-c",
      "user.name=Pat",
      "-c",
      "user.email=pat@example.org",
      "commit",
      "--quiet",
      "--message=c",
    );
    if (made.code !== 0) throw new Error(made.out);
  };
  commit(mine.dir, ours);
  commit(other, theirs);
  mine.git("fetch", "--quiet", other, "HEAD");
  return { ours: mine, merge: () => git(mine.dir, "merge", "--no-edit", "FETCH_HEAD") };
}

const STAMP = "date_updated_at: 2026-01-02T00:00:00.000Z";

describe("git merge with the driver", () => {
  it("merges English from one clone and Italian from the other, both with a new stamp", async () => {
    const { ours, merge } = await clones(
      { "title: About": "title: About us", [STAMP]: "date_updated_at: 2026-02-02T00:00:00.000Z" },
      { "title: Chi siamo": "title: Noi", [STAMP]: "date_updated_at: 2026-02-01T00:00:00.000Z" },
    );
    expect(merge()).toMatchObject({ code: 0 });
    expect(ours.text(PAGE)).toBe(
      change(TEXT, {
        "title: About": "title: About us",
        "title: Chi siamo": "title: Noi",
        [STAMP]: "date_updated_at: 2026-02-02T00:00:00.000Z",
      }),
    );
    expect(await cms(["check", "--root", ours.dir])).toMatchObject({ code: 0, out: "" });
    expect(ours.git("status", "--porcelain")).toBe("");
  });

  it("leaves a field in conflict in a file that parses, and cms check names it until it is resolved", async () => {
    const { ours, merge } = await clones(
      { "title: About": "title: Ours", "ordering: 1": "ordering: 2", "title: Chi siamo": "title: Noi" },
      { "title: About": "title: Theirs", "ordering: 1": "ordering: 3" },
    );
    const { code, out } = merge();
    expect(code).toBe(1);
    expect(out).toContain(`cms: ${PAGE}: both sides changed ordering: see \`cms check\``);
    expect(ours.git("status", "--porcelain")).toBe(`UU ${PAGE}\n`);
    expect(ours.text(PAGE)).toContain(
      "    title: |-\n      <<<<<<< ours (git-cms)\n      Ours\n      =======\n      Theirs\n      >>>>>>> theirs (git-cms)\n",
    );
    expect(ours.text(PAGE)).toContain("    title: Noi\n");
    const checked = await cms(["check", "--root", ours.dir]);
    expect(checked.code).toBe(1);
    expect(checked.out.trimEnd().split("\n")).toEqual([
      `${PAGE}:4:1: error: A merge left a conflict: ordering is 2 in ours and 3 in theirs, which stands: keep one, and remove this line. [merge-conflict]`,
      `${PAGE}:9:5: error: has a merge conflict: translations.en.title is "Ours" in ours and "Theirs" in theirs. Keep one of the two, and remove the markers and the comment. [invalid-file]`,
    ]);
    const resolved = ours
      .text(PAGE)!
      .replaceAll(/^ *# merge conflict.*\n/gm, "")
      .replace(/\|-\n +<+ ours.*\n +(.*)\n +=+\n.*\n +>+ theirs.*\n/, "$1\n");
    ours.save(PAGE, resolved);
    ours.git("add", PAGE);
    ours.git("commit", "--quiet", "--no-edit");
    expect(await cms(["check", "--root", ours.dir])).toMatchObject({ code: 0, out: "" });
    expect(ours.text(PAGE)).toContain("    title: Ours\n");
  });

  it("serves the page as it was while the conflict is there", async () => {
    const { ours, merge } = await clones({ "title: About": "title: Ours" }, { "title: About": "title: Theirs" });
    merge();
    const server = await serve(ours.dir, ["--read-only"]);
    expect((await server.ask("GET", "api/cms/pages-router/about/")).body).toMatchObject({ title: "Ours" });
  });

  it("merges by line, and leaves both sides, where a side does not parse", async () => {
    const { ours, merge } = await clones({ "title: About": "title: Ours" }, { "title: About": "title: [Theirs" });
    expect(merge().code).toBe(1);
    expect(ours.text(PAGE)).toContain(
      "<<<<<<< ours (git-cms)\n    title: Ours\n=======\n    title: [Theirs\n>>>>>>> theirs (git-cms)\n",
    );
  });

  it("merges by line where both made another record under one name", async () => {
    const path = "content/pages/new.yaml";
    const { ours, merge } = await clones({ "": "id: 5\nordering: 1\n" }, { "": "id: 6\nordering: 1\n" }, path);
    expect(merge().code).toBe(1);
    expect(ours.text(path)).toContain("<<<<<<< ours (git-cms)\nid: 5\n=======\nid: 6\n>>>>>>> theirs (git-cms)\n");
  });

  it("merges a record that both added", async () => {
    const path = "content/pages/new.yaml";
    const { ours, merge } = await clones({ "": "id: 5\nordering: 1\n" }, { "": "id: 5\nrobots: noindex\n" }, path);
    expect(merge().code).toBe(0);
    expect(ours.text(path)).toBe("id: 5\nordering: 1\nrobots: noindex\n");
  });

  it("merges the first draft that both made of a page", async () => {
    const path = "content/pages/about.draft.en.yaml";
    const draft = (at: string, payload: string): string =>
      `language: en\ncreated_at: 2026-02-0${at}T00:00:00.000Z\nupdated_at: 2026-02-0${at}T00:00:00.000Z\npayload:\n  ${payload}\n`;
    const { ours, merge } = await clones(
      { "": draft("2", "title: Ours") },
      { "": draft("1", "keywords: theirs") },
      path,
    );
    expect(merge().code).toBe(0);
    expect(ours.text(path)).toBe(
      "language: en\ncreated_at: 2026-02-01T00:00:00.000Z\nupdated_at: 2026-02-02T00:00:00.000Z\npayload:\n  title: Ours\n  keywords: theirs\n",
    );
  });

  it("merges by git alone when the program is gone", async () => {
    const { ours, merge } = await clones({ "title: About": "title: Ours" }, { "title: About": "title: Theirs" });
    const driver = ours.git("config", "merge.cms.driver").trimEnd();
    ours.git("config", "merge.cms.driver", driver.replaceAll("cms.cjs", "gone.cjs"));
    expect(merge().code).toBe(1);
    expect(ours.text(PAGE)).toContain("<<<<<<< ours\n    title: Ours\n=======\n    title: Theirs\n>>>>>>> theirs\n");
  });

  it("rebases too", async () => {
    const { ours } = await clones(
      { "title: About": "title: About us", [STAMP]: "date_updated_at: 2026-02-02T00:00:00.000Z" },
      { "title: Chi siamo": "title: Noi", [STAMP]: "date_updated_at: 2026-02-01T00:00:00.000Z" },
    );
    expect(git(ours.dir, "rebase", "FETCH_HEAD")).toMatchObject({ code: 0 });
    expect(ours.text(PAGE)).toContain("title: Noi");
    expect(ours.text(PAGE)).toContain("title: About us");
  });
});

describe("cms merge-driver", () => {
  it("merges by line, from the whole of our side, when its result cannot be written", async () => {
    const dir = emptyFolder();
    const text = (title: string, rest: string): string => `id: 1\ntranslations:\n  en:\n    title: ${title}\n${rest}`;
    const rest = "    description: One\n    keywords: Two\n    og_title: Three\n    og_description: Four\n";
    writeFileSync(join(dir, "base"), text("A", rest));
    writeFileSync(join(dir, "ours"), text("B", rest));
    writeFileSync(join(dir, "theirs"), text("A", rest.replace("Four", "Five")));
    mkdirSync(join(dir, "ours.partial/in the way"), { recursive: true });
    const { code, err } = await cms(["merge-driver", "base", "ours", "theirs", "7", "content/pages/p.yaml"], {
      cwd: dir,
    });
    expect([code, err]).toEqual([0, expect.stringContaining("is merged as text")]);
    expect(readFileSync(join(dir, "ours"), "utf8")).toBe(text("B", rest.replace("Four", "Five")));
  });

  it("merges by line where there are more conflicts than a person would read, and shows no control characters", async () => {
    const dir = emptyFolder();
    const list = (valueOf: (at: number) => number): string =>
      `items:\n${Array.from({ length: 400 }, (_, at) => `- a: ${at}\n  b: ${valueOf(at)}\n`).join("")}`;
    writeFileSync(
      join(dir, "base"),
      list(() => 0),
    );
    writeFileSync(
      join(dir, "ours"),
      list(() => 1),
    );
    writeFileSync(
      join(dir, "theirs"),
      list(() => 2),
    );
    const { code, err } = await cms(["merge-driver", "base", "ours", "theirs", "7", "p\x1b[31m.yaml"], { cwd: dir });
    const text = readFileSync(join(dir, "ours"), "utf8");
    expect([code, err, text.includes("# merge conflict"), text.includes("<<<<<<< ours (git-cms)")]).toEqual([
      1,
      "",
      false,
      true,
    ]);
    writeFileSync(join(dir, "base"), "a: 0\n");
    writeFileSync(join(dir, "ours"), "a: 1\n");
    writeFileSync(join(dir, "theirs"), "a: 2\n");
    const few = await cms(["merge-driver", "base", "ours", "theirs", "7", "p\x1b[31m.yaml"], { cwd: dir });
    expect(few).toMatchObject({ code: 1, err: "cms: p?[31m.yaml: both sides changed a: see `cms check`\n" });
  });

  it("refuses a size of markers that is no number", async () => {
    const dir = emptyFolder();
    expect(await cms(["merge-driver", "a", "b", "c", "x", "p.yaml"], { cwd: dir })).toMatchObject({ code: 2 });
  });

  it("leaves our file and ends with 1 when a file cannot be read", async () => {
    const dir = emptyFolder();
    writeFileSync(join(dir, "ours"), "id: 1\n");
    const { code, err } = await cms(["merge-driver", "base", "ours", "theirs", "7", "p.yaml"], { cwd: dir });
    expect([code, readFileSync(join(dir, "ours"), "utf8")]).toEqual([1, "id: 1\n"]);
    expect(err).toContain("p.yaml is merged as text");
  });
});

describe("cms setup", () => {
  const LACKS =
    "This clone lacks:\n- Accounts: restore the private state from its backup, or add accounts with `cms user add`.\n- A remote: nothing leaves this machine until `git remote add` names one.\n";

  it("writes .gitattributes and the driver once, and says so", async () => {
    const { dir, git: run, text } = site({ ".gitattributes": "*.jpg binary" });
    const first = await cms(["setup", "--root", dir]);
    expect(first).toMatchObject({ code: 0, out: "" });
    expect(first.err).toBe(
      ".gitattributes names the merge driver for content now: commit it, so that every clone has it.\nSet merge.cms.driver in .git/config.\n" +
        LACKS,
    );
    expect(text(".gitattributes")).toMatch(/^\*\.jpg binary\n# .*\ncontent\/\*\*\/\*\.yaml merge=cms\n/);
    expect(run("check-attr", "merge", PAGE, "content/redirects.yaml", "content/articles/a/b.md")).toMatch(
      /^(.*: merge: cms\n){3}$/,
    );
    expect(run("check-attr", "merge", "templates/a.md")).toContain("unspecified");
    const [attributes, config] = [text(".gitattributes"), text(".git/config")];
    expect((await cms(["setup", "--root", dir])).err).toBe(
      ".gitattributes names the merge driver already.\nmerge.cms.driver is set already.\n" + LACKS,
    );
    expect([text(".gitattributes"), text(".git/config")]).toEqual([attributes, config]);
  });

  it("replaces the driver of another installation", async () => {
    const { dir, git: run } = site();
    run("config", "merge.cms.driver", "elsewhere %A");
    expect((await cms(["setup", "--root", dir])).err).toContain("Set merge.cms.driver");
    expect(run("config", "merge.cms.driver")).toContain("merge-driver %O %A %B %L %P");
  });

  it("refuses a folder that is no repository", async () => {
    const dir = emptyFolder();
    writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGES: { en: English }\nLANGUAGE_CODE: en\n");
    expect(await cms(["setup", "--root", dir])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no git repository"),
    });
  });

  it("is done by init, with the attributes in the first commit", async () => {
    const dir = join(emptyFolder(), "site");
    expect((await cms(["init", dir, "--bare-site"])).code).toBe(0);
    expect(git(dir, "show", "HEAD:.gitattributes").out).toContain("content/**/*.yaml merge=cms");
    expect(git(dir, "config", "merge.cms.driver").out).toContain("merge-driver");
    expect(git(dir, "status", "--porcelain").out).toBe("");
  });

  it("is done by serve where it is missing, outside the working tree, and not by serve --read-only", async () => {
    const { dir, git: run, text } = site();
    await (await serve(dir, ["--read-only"])).stop();
    expect(git(dir, "config", "merge.cms.driver").code).toBe(1);
    await (await serve(dir)).stop();
    expect(run("config", "merge.cms.driver")).toContain("merge-driver");
    expect(run("check-attr", "merge", PAGE)).toContain("merge: cms");
    expect(run("status", "--porcelain")).toBe("");
    const local = text(".git/info/attributes");
    run("config", "merge.cms.driver", "elsewhere %A");
    await (await serve(dir)).stop();
    expect([run("config", "merge.cms.driver"), text(".git/info/attributes")]).toEqual(["elsewhere %A\n", local]);
  });
});
