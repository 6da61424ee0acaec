/** Errors over HTTP never contain paths of the machine. */
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CmsError, type ErrorCode } from "../../../src/errors.ts";
import { errorReply, withoutFolders } from "../../../src/http/request/errors.ts";
import { memorySite } from "../../site.ts";

describe("withoutFolders", () => {
  it.each([
    ["/srv/site/.git/cms is open to other users", "cms is open to other users"],
    [
      "EACCES: permission denied, open '/srv/site/.git/cms/accounts.json'",
      "EACCES: permission denied, open 'accounts.json'",
    ],
    ["See (/var/lib/x) and C:\\Users\\me\\site\\a.txt.", "See (x) and a.txt."],
    [
      ".git/index.lock has been held for 5 s: remove the file.",
      ".git/index.lock has been held for 5 s: remove the file.",
    ],
    ["The page /about is taken", "The page /about is taken"],
    ["in file:///srv/site/inject.mjs", "in file:inject.mjs"],
  ])("%s", (message, shown) => expect(withoutFolders(message)).toBe(shown));

  it("takes linear time", () => {
    for (const part of ["/", "/a", " /", "\\", "C:/", "/a "])
      expect(withoutFolders(part.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

describe("an answer of 5xx", () => {
  const CODES: readonly ErrorCode[] = ["unavailable", "disabled", "broken", "setup"];

  it.each([
    ...CODES.map((code) => [code, new CmsError(code, "/srv/site/.git/cms/x is gone")] as const),
    ["a defect", new Error("ENOENT: /srv/site/.git/cms/x")] as const,
  ])("for %s names no folder of the machine", (_code, error) => {
    const logged: string[] = [];
    const env = { log: { info() {}, warn() {}, error: (line: string) => void logged.push(line) }, uuid: () => "7" };
    const { status, body, headers } = errorReply(error, env, { method: "GET", path: "/x" });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify([body, headers])).not.toMatch(/srv|site/);
    if (status === 500)
      expect([headers["x-request-id"], logged]).toEqual(["7", [expect.stringMatching(/^GET \/x \(request 7\)/)]]);
  });

  it("to an anonymous caller, while the private state has wrong permissions, does not contain its path", async () => {
    const { ask, repo, logged, token } = await memorySite();
    await token("staff");
    chmodSync(repo.stateDir, 0o755);
    const answer = await ask("POST", "api:token-auth/", { body: { username: "staff", password: "open-sesame-staff" } });
    expect([answer.status, answer.text.includes(repo.stateDir), /"\/|\/tmp/.test(answer.text)]).toEqual([
      503,
      false,
      false,
    ]);
    expect(logged.join()).toContain("chmod 700");
  });
});
