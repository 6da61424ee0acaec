/** Errors of the operating system, wherever a request meets them: an answer that says so, and one line in the log. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { errorReply } from "../../../src/http/request/errors.ts";
import { toUnavailable } from "../../../src/store/git/disk-error.ts";
import { removeKilledUploads, uploadPlace } from "../../../src/store/private/uploads.ts";
import { memorySite } from "../../site.ts";

const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: it failed, open '/srv/site/x'`), { code, syscall: "open" });

function answered(error: unknown) {
  const logged: unknown[][] = [];
  const env = { log: { info() {}, warn() {}, error: (...line: unknown[]) => void logged.push(line) }, uuid: () => "7" };
  const { status, body, headers } = errorReply(error, env, { method: "GET", path: "/x" });
  return { status, text: String(body), logged, retryAfter: headers["retry-after"] };
}

const UNAVAILABLE = [
  ...["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EMFILE", "ENFILE", "EACCES", "EPERM", "EXDEV", "ENOMEM", "EAGAIN"],
  ...["EBUSY", "ESTALE", "ENODEV", "ENXIO", "EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR", "ELOOP"],
];

describe("an error of the system", () => {
  it.each(UNAVAILABLE)("%s is 503 and one line", (code) => {
    for (const error of [
      failure(code),
      new CmsError("broken", "The template x.html cannot be rendered", { cause: failure(code) }),
      new CmsError("broken", "x", { cause: new Error("Template render error", { cause: failure(code) }) }),
      toUnavailable(failure(code)),
    ]) {
      const { status, text, logged, retryAfter } = answered(error);
      expect([status, retryAfter]).toEqual([503, "10"]);
      expect(text).not.toContain("/srv");
      expect(logged).toEqual([[`GET /x: ${code}: it failed, open '/srv/site/x'`]]);
    }
  });

  it("of a name that is too long is 400", () => {
    expect(answered(failure("ENAMETOOLONG"))).toMatchObject({ status: 400, logged: [] });
  });

  it("is not what the program or a plugin did wrong", () => {
    expect(answered(failure("ERR_INVALID_ARG_TYPE")).status).toBe(500);
    expect(answered(new CmsError("broken", "x", { plugin: "shop", cause: failure("EACCES") })).status).toBe(500);
    expect(answered(new CmsError("conflict", "x", { cause: failure("EACCES") })).status).toBe(409);
  });
});

describe("a name that no file can have", () => {
  const long = "x".repeat(300);

  it.each(["pages/", "articles/"])("is refused as the template of a record of %s", async (path) => {
    const { ask, logged } = await memorySite();
    for (const template of [`${long}.html`, `website/${long}/a.html`]) {
      const answer = await ask("POST", `api:${path}`, { as: "staff", body: { title: "T", template } });
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, ["template"]]);
    }
    expect(logged).toEqual([]);
  });

  it.each([`/${long}`, `/${long}/`, `/static/${long}.css`, `/media/${long}.png`, `/media/a/${long}`, `/it/${long}`])(
    "is not found: %s",
    async (path) => {
      const { ask } = await memorySite();
      const first = await ask("GET", path);
      const location = first.headers.get("location");
      expect((location === null ? first : await ask("GET", location)).status).toBe(404);
    },
  );
});

it("files of killed uploads are removed, and no others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cms-uploads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string): void => writeFileSync(join(folder, name), "x");
  const { file, release } = uploadPlace(folder);
  writeFileSync(file, "x");
  for (const name of [`${process.pid}_before`, "4194999_ended", `${process.ppid}_running`, "of-unknown", "old"])
    put(name);
  utimesSync(join(folder, "old"), 0, 0);
  await removeKilledUploads(folder);
  expect(readdirSync(folder).sort()).toEqual(
    [file.slice(folder.length + 1), `${process.ppid}_running`, "of-unknown"].sort(),
  );
  await release();
  expect(readdirSync(folder)).toHaveLength(2);
});
