/** `cms check --push`, and the hook of `cms setup --pre-receive` in a bare repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { GIT_ENV } from "../store/git/git-site.ts";
import { gitBytes } from "../support/run-git.ts";
import { cms } from "./process.ts";

const PERSON = { GIT_AUTHOR_NAME: "Anna", GIT_AUTHOR_EMAIL: "anna@example.org" };
const COMMITTER = { GIT_COMMITTER_NAME: "Anna", GIT_COMMITTER_EMAIL: "anna@example.org" };

const SETTINGS = `PUSH: { ROLES: { anna: [author], "ed@example.org": [editor], root: [superuser], jo: [journalist] } }
REVIEW: { REQUIRED: [{ BELOW: /board }] }
`;
const FILES = {
  "cms.config.yaml": SETTINGS,
  "content/roles.yaml": "roles: { journalist: { rules: [{ may: [view, create, edit, publish], below: /journal }] } }\n",
  "content/pages/home.yaml": page(1, "Home", "/"),
  "content/pages/journal.yaml": page(2, "Journal", "/journal"),
  "content/pages/board.yaml": page(3, "Board", "/board", ""),
  "content/threads/9.yaml":
    "id: 9\npage: 1\nlanguage: en\ncomments: [{ id: 1, by: ed, name: Ed, at: 2026-01-01T00:00:00Z, text: Hm }]\n",
};

function page(
  id: number,
  title: string,
  permalink: string,
  published = ", published_at: 2026-01-01T00:00:00Z",
): string {
  return `id: ${id}\ntranslations:\n  en: { title: ${title}, permalink: ${permalink}${published} }\n`;
}

let dir: string;
let work: string;
const git = (cwd: string, ...args: readonly string[]): string =>
  gitBytes(args, { cwd, env: { ...GIT_ENV, ...PERSON, ...COMMITTER } })
    .toString()
    .trim();

/** Commits changes on top of what the bare repository has. @param files null: removed */
function commit(files: Readonly<Record<string, string | null>>): void {
  git(work, "fetch", "-q");
  git(work, "reset", "-q", "--hard", "origin/main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    if (text === null) rmSync(join(work, path));
    else writeFileSync(join(work, path), text);
  }
  git(work, "add", "--all");
  git(work, "commit", "-qm", "Change");
}

/** What the hook says to a push; "" when it was made. */
function push(as: string): string {
  try {
    gitBytes(["push", "-q", "origin", "main"], {
      cwd: work,
      env: { ...GIT_ENV, ...PERSON, ...COMMITTER, PATH: process.env.PATH, GITEA_PUSHER_NAME: as },
    });
    return "";
  } catch (error) {
    return String(error);
  }
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "cms-push-"));
  const first = join(dir, "first");
  mkdirSync(first);
  git(first, "init", "-q", "-b", "main");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(first, path)), { recursive: true });
    writeFileSync(join(first, path), text);
  }
  git(first, "add", "--all");
  git(first, "commit", "-qm", "Site");
  git(dir, "clone", "-q", "--bare", "first", "site.git");
  git(dir, "clone", "-q", "site.git", "work");
  work = join(dir, "work");
  const set = await cms(["setup", "--pre-receive", "--root", join(dir, "site.git")]);
  expect(set.code).toBe(0);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const draft = "payload: { title: New }\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\n";

describe("a push to a repository with the hook", () => {
  it.each<[string, string, Record<string, string | null>, RegExp | ""]>([
    ["a draft", "anna", { "content/pages/home.draft.en.yaml": draft }, ""],
    [
      "a live text",
      "anna",
      { "content/pages/home.yaml": page(1, "Mine", "/") },
      /Your role \(Author\) may not publish page 1 \(en\)\./,
    ],
    ["of an editor", "ed@example.org", { "content/pages/home.yaml": page(1, "Mine", "/") }, ""],
    ["in the section", "jo", { "content/pages/journal.yaml": page(2, "Days", "/journal") }, ""],
    ["beside it", "jo", { "content/pages/home.yaml": page(1, "Jo", "/") }, /You may not change all that this concerns/],
    ["the roles", "ed@example.org", { "content/roles.yaml": null }, /Only superusers may change roles\./],
    ["a template", "ed@example.org", { "templates/a.html": "" }, /templates\/a\.html is no content/],
    ["the settings", "ed@example.org", { "cms.config.yaml": "PUSH: { ROLES: { ed: [superuser] } }" }, /is no content/],
    [
      "a broken file",
      "ed@example.org",
      { "content/pages/home.yaml": "id: [" },
      /content\/pages\/home\.yaml does not load/,
    ],
    [
      "words of another",
      "ed@example.org",
      { "content/threads/9.yaml": FILES["content/threads/9.yaml"].replace("Hm", "Good") },
      /Thread 9 has a comment of ed, which only ed may write\./,
    ],
    [
      "what needs a review",
      "ed@example.org",
      { "content/pages/board.yaml": page(3, "Board", "/board") },
      /goes live only with an approval/,
    ],
    ["a proposal", "anna", { "content/reviews/b.yaml": "id: 70\nby: anna\nitems: [{ page: 3, language: en }]\n" }, ""],
    [
      "a proposal of another",
      "anna",
      { "content/reviews/c.yaml": "id: 71\nby: ed\nitems: [{ page: 3, language: en }]\n" },
      /Review 71 is proposed in the name of ed\./,
    ],
    [
      "an approval",
      "ed@example.org",
      {
        "content/reviews/b.yaml":
          "id: 70\nby: anna\nitems: [{ page: 3, language: en, hash: a }]\ndecisions: [{ id: 1, by: ed@example.org, email: e@x.y, verdict: approve, hash: b }]\n",
      },
      /Review 70 is decided by hand: decide in the editor or by the API\./,
    ],
    [
      "what a server brings that syncs",
      "root",
      {
        "content/pages/board.yaml": page(3, "Board", "/board"),
        "content/threads/9.yaml": FILES["content/threads/9.yaml"].replace("Hm", "Good"),
      },
      "",
    ],
    ["a template of a superuser", "root", { "templates/a.html": "" }, ""],
    ["of nobody", "mallory", { "content/pages/home.yaml": page(1, "M", "/") }, /mallory is no account of this site/],
  ])("%s, by %s", async (_what, as, files, refusal) => {
    commit(files);
    const said = push(as);
    if (refusal === "") expect(said).toBe("");
    else expect(said).toMatch(refusal);
  });
});

describe("cms check --push", () => {
  const args = (): string[] => ["check", "--push", "origin/main", "main", "--root", work];

  it("refuses commits of nobody, and wrong use", async () => {
    commit({ "content/pages/home.yaml": page(1, "Unsigned", "/") });
    const unsigned = await cms(args());
    expect([unsigned.code, unsigned.err]).toEqual([1, expect.stringMatching(/has no good signature/)]);
    expect(await cms([...args(), "--as", "ed@example.org"])).toMatchObject({ code: 0, err: "The push may be made.\n" });
    expect(await cms(["check", "--push", "origin/main", "--root", work])).toMatchObject({ code: 2 });
    expect(await cms(["check", "--push", "nothing", "main", "--root", work])).toMatchObject({ code: 2 });
  });

  it("takes no rights from settings that are pushed where there were none", async () => {
    const bare = join(dir, "bare-site");
    mkdirSync(join(bare, "content/pages"), { recursive: true });
    git(bare, "init", "-q", "-b", "main");
    for (const [path, text] of [
      ["content/pages/home.yaml", page(1, "Home", "/")],
      ["cms.config.yaml", "PUSH: { ROLES: { mallory: [superuser] } }\n"],
    ] as const) {
      writeFileSync(join(bare, path), text);
      git(bare, "add", "--all");
      git(bare, "commit", "-qm", path);
    }
    const judged = await cms(["check", "--push", "main~1", "main", "--as", "mallory", "--root", bare]);
    expect([judged.code, judged.out]).toEqual([1, expect.stringContaining("mallory is no account of this site")]);
  });

  it("judges each commit as its signer's", async () => {
    const keys = mkdtempSync(join(tmpdir(), "cms-keys-"));
    const key = (name: string): string => join(keys, name);
    for (const name of ["ed", "anna"])
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key(name)]);
    const signers = ["ed@example.org ed", "anna anna"].map((row) => {
      const [who = "", name = ""] = row.split(" ");
      return `${who} ${readFileSync(`${key(name)}.pub`, "utf8")}`;
    });
    writeFileSync(key("signers"), signers.join(""));
    git(work, "config", "gpg.format", "ssh");
    git(work, "config", "gpg.ssh.allowedSignersFile", key("signers"));
    const signed = (name: string, title: string): void => {
      writeFileSync(join(work, "content/pages/home.yaml"), page(1, title, "/"));
      git(work, "-c", `user.signingKey=${key(name)}`, "commit", "-aq", "-S", "-m", "Change");
    };
    commit({ "content/pages/new.yaml": page(8, "New", "/new", "") });
    git(work, "reset", "-q", "--hard", "origin/main");
    signed("ed", "One");
    expect(await cms(args())).toMatchObject({ code: 0 });
    signed("anna", "Two");
    const refused = await cms(args());
    rmSync(keys, { recursive: true });
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringMatching(/^[0-9a-f]{12}: Your role \(Author\) may not publish page 1 \(en\)\.\n$/m),
    ]);
  });
});
