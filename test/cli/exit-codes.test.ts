/** Exit codes: 2 is for wrong use of the command line alone. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createServer as createSocket } from "node:net";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cms, COMMAND, emptyFolder, PAGE, site } from "./process.ts";

/** A service that answers everything with one status. @returns its address */
async function service(status: number): Promise<string> {
  const server = createServer(
    (_request, response) => void response.writeHead(status, { connection: "close" }).end("{}"),
  );
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function takenPort(): Promise<string> {
  const server = createSocket().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return String((server.address() as { port: number }).port);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<string> {
  const server = createSocket().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return String(port);
}

type Args = (dir: string) => readonly string[] | Promise<readonly string[]>;

describe("2, wrong use of the command line", () => {
  it.each<[what: string, args: Args]>([
    ["an unknown command", () => ["publish"]],
    ["an unknown option", (dir) => ["check", "--root", dir, "--all"]],
    ["an argument that is missing", (dir) => ["user", "add", "--root", dir]],
    ["a folder that is not there", (dir) => ["check", "--root", join(dir, "nowhere")]],
    ["a port that is none", (dir) => ["serve", "--root", dir, "--port", "http"]],
    ["an id that is none", (dir) => ["regenerate-renditions", "seven", "--root", dir]],
    ["the site's own folder to build into", (dir) => ["build", "--root", dir, "--out", "."]],
    ["an address that is none", (dir) => ["build", "--root", dir, "--server", "nowhere"]],
    ["a number of processes that is none", (dir) => ["build", "--root", dir, "--jobs", "none"]],
    ["a language that is none", (dir) => ["init", join(dir, "new"), "--languages", "x_"]],
    ["no password, and nobody to ask", (dir) => ["user", "add", "anna", "--root", dir]],
  ])("%s", async (_what, args) => {
    const { dir } = site();
    expect(await cms(await args(dir))).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^error: /) });
  });
});

it("2, whatever keeps `cms due` from telling, since 1 is its answer", async () => {
  const { dir, save } = site();
  save("cms.config.yaml", "LANGUAGES: [");
  expect(await cms(["due", "--root", dir])).toMatchObject({ code: 2, out: "" });
  save("cms.config.yaml", "LANGUAGES: { en: English }\n");
  expect(await cms(["due", "--root", dir])).toMatchObject({ code: 0 });
  expect(await cms(["build", "--root", dir, "--quiet"])).toMatchObject({ code: 0 });
  expect(await cms(["due", "--root", dir])).toMatchObject({
    code: 1,
    err: "Not due: only an edit changes the site.\n",
  });
});

describe("1, whatever else keeps the work from being done", () => {
  it.each<[what: string, args: Args]>([
    [
      "a server that does not answer",
      async (dir) => ["build", "--root", dir, "--server", `http://127.0.0.1:${await freePort()}`],
    ],
    [
      "a token that is refused",
      async (dir) => ["build", "--root", dir, "--server", await service(401), "--token", "cms_wrong"],
    ],
    ["a service that fails", async (dir) => ["build", "--root", dir, "--server", await service(500)]],
    ["a port that is taken", async (dir) => ["serve", "--root", dir, "--port", await takenPort()]],
    ["an address of another machine", (dir) => ["serve", "--root", dir, "--port", "0", "--host", "192.0.2.1"]],
    ["a folder without settings", () => ["check", "--root", emptyFolder()]],
    [
      "settings that do not parse",
      (dir) => (writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGES: ["), ["check", "--root", dir]),
    ],
    [
      "a folder without a repository",
      (dir) => (rmSync(join(dir, ".git"), { recursive: true }), ["check", "--root", dir]),
    ],
    [
      "a folder of somebody else's to build into",
      (dir) => (
        writeFileSync(join(dir, "templates/mine.html"), ""),
        ["build", "--root", dir, "--out", emptyFolderWithFile()]
      ),
    ],
    ["a folder that is not empty for a new site", (dir) => ["init", dir]],
    ["an account that is not there", (dir) => ["token", "anna", "--root", dir]],
    [
      "a problem in the tree",
      (dir) => (writeFileSync(join(dir, "content/pages/copy.yaml"), PAGE(12, "Copy")), ["check", "--root", dir]),
    ],
    ["an image that is not there", (dir) => ["regenerate-renditions", "99", "--root", dir]],
  ])("%s", async (_what, args) => {
    const { dir } = site();
    expect(await cms(await args(dir))).toMatchObject({ code: 1 });
  });
});

function emptyFolderWithFile(): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, "mine.txt"), "mine");
  return folder;
}

it("a reader that closes its end of the pipe changes neither the exit code nor what is said", async () => {
  const { dir } = site({ "content/pages/broken.yaml": "translations: [\n" });
  const child = spawn(process.execPath, [COMMAND, "check", "--json", "--root", dir], { env: process.env });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, said]).toEqual([1, "1 problem.\n"]);
});
