import { describe, expect, it } from "vitest";
import { isOutrun, syncFailure } from "../../../src/store/sync/failures.ts";

describe("syncFailure", () => {
  // Standard error of git 2.39 and of forges.
  it.each<[string, RegExp]>([
    [
      "fatal: '/srv/gone.git' does not appear to be a git repository\nfatal: Could not read from remote",
      /does not exist/,
    ],
    ["remote: Repository not found.\nfatal: repository 'https://forge.example/a/b/' not found", /does not exist/],
    [
      "fatal: could not read Username for 'https://forge.example': terminal prompts disabled",
      /refused the credentials/,
    ],
    ["git@forge.example: Permission denied (publickey).\nfatal: Could not read from remote repository.", /credentials/],
    ["fatal: unable to access 'https://forge.example/': The requested URL returned error: 403", /credentials/],
    ["Host key verification failed.\nfatal: Could not read from remote repository.", /host key/],
    ["fatal: unable to access 'x': Could not resolve host: forge.example", /host name/],
    ["ssh: connect to host forge.example port 22: Connection refused", /does not answer/],
    ["Git LFS: (missing) media/a.jpg (0123)\nerror: failed to push some refs", /LFS objects are missing/],
    ["!\tHEAD:refs/heads/main\t[remote rejected] (protected branch hook declined)", /it is protected/],
    ["!\tHEAD:refs/heads/main\t[remote rejected] (branch is currently checked out)", /does not accept pushes/],
    ["!\tHEAD:refs/heads/main\t[rejected] (fetch first)", /pushes came first/],
    [
      "remote: cannot lock ref 'HEAD': Unable to create 'HEAD.lock'\n!\tmain\t[rejected] (failed to update ref)",
      /locked/,
    ],
    ["!\tHEAD:refs/heads/main\t[remote rejected] (pre-receive hook declined)", /hook of the remote refused/],
    ["error: object 01: hasDotgit: contains '.git'\nfatal: fsck error in packed object", /malformed or unsafe/],
    ["fatal: the remote end hung up unexpectedly\nfatal: early EOF", /broke off/],
    ["something new", /`git push` failed\. Git says: something new/],
    ["", /Git says: nothing/],
  ])("explains %j", (said, sentence) => {
    expect(syncFailure("push", said)).toMatchObject({ code: "unavailable", message: expect.stringMatching(sentence) });
  });

  it("shows neither credentials nor hints nor control characters", () => {
    const { message } = syncFailure(
      "fetch",
      "fatal: \x1b[31munable 'https://me:s3cret@forge.example/x'\nhint: try this",
    );
    expect(message).toContain("https://forge.example/x");
    expect(message).not.toMatch(/s3cret|hint|\x1b/);
  });
});

describe("isOutrun", () => {
  it.each<[string, boolean]>([
    ["!\tHEAD:refs/heads/main\t[rejected] (fetch first)", true],
    ["!\tHEAD:refs/heads/main\t[rejected] (non-fast-forward)", true],
    ["!\tHEAD:refs/heads/main\t[remote rejected] (cannot lock ref 'refs/heads/main': is at 1 but expected 2)", true],
    ["!\tHEAD:refs/heads/main\t[remote rejected] (pre-receive hook declined)", false],
  ])("%j: %s", (said, outrun) => expect(isOutrun(said)).toBe(outrun));
});
