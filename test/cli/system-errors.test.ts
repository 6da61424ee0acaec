/** Errors of the system that stop a command: one sentence with the path. */
import { expect, it } from "vitest";
import { sentenceOf } from "../../src/cli/command.ts";

const failed = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: as Node says it, lstat`), { code, syscall: "lstat", ...(path && { path }) });

it.each([
  ["EACCES", "/srv/site/.git: Access is denied (EACCES)."],
  ["EPERM", "/srv/site/.git: Access is denied (EPERM)."],
  ["EROFS", "/srv/site/.git: The disk is read-only (EROFS)."],
  ["ENOTDIR", "/srv/site/.git: A file stands where a folder is expected (ENOTDIR)."],
])("%s", (code, sentence) => expect(sentenceOf(failed(code, "/srv/site/.git"))).toBe(sentence));

it("what has no path, or is another error, stays as it is", () => {
  expect(sentenceOf(failed("EACCES"))).toBe("EACCES: as Node says it, lstat");
  expect(sentenceOf(failed("EFOO", "/x"))).toBe("EFOO: as Node says it, lstat");
});
