/** `cms serve --poll`, and what chokidar tells of. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { watchWithChokidar } from "../../../src/cli/serve/chokidar-watch.ts";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { COMMAND, emptyFolder, eventually, site } from "../process.ts";

describe.each([undefined, 50])("chokidar with the interval %s", (poll) => {
  it("tells of files that are of interest, and of nothing else", async () => {
    const root = emptyFolder();
    for (const folder of ["static/css", "content"]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, "static/css/old.css"), "a{}");
    const told = new Set<string>();
    const isOfInterest = (path: string): boolean => path === "" || path.startsWith("static");
    const stop = watchWithChokidar(poll)(root, {
      isOfInterest,
      onChange: (path) => told.add(path),
      onError: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(stop);
    await eventually(async () => told.has("")); // ready: all is to be looked at once
    writeFileSync(join(root, "content/page.yaml"), "title: x");
    writeFileSync(join(root, "static/css/new.css"), "b{}");
    writeFileSync(join(root, "static/css/old.css"), "a{color:red}");
    await eventually(async () => told.has("static/css/new.css") && told.has("static/css/old.css"));
    rmSync(join(root, "static/css/old.css"));
    told.delete("static/css/old.css");
    await eventually(async () => told.has("static/css/old.css"));
    expect([...told].filter((path) => path !== "" && !path.startsWith("static"))).toEqual([]);
  });
});

describe("cms serve --poll", () => {
  it("serves a page that is changed by hand, without notifications of the file system", async () => {
    const { dir } = site();
    const server = spawn(process.execPath, [COMMAND, "serve", "--root", dir, "--port", "0", "--poll", "50"], {
      env: GIT_ENV,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    let said = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    await eventually(async () => said.includes("Branch"));
    const address = /(http:\/\/[\d.]+:\d+\/)/.exec(said)![1]!;
    writeFileSync(
      join(dir, "content/pages/polled.yaml"),
      "translations:\n  en:\n    title: Polled\n    permalink: /polled\n    published_at: 2026-01-01T00:00:00Z\n",
    );
    await eventually(async () => (await fetch(`${address}api/cms/pages-router/polled/`)).status === 200);
    server.kill("SIGTERM");
    expect((await once(server, "close"))[0]).toBe(0);
  });

  it.each(["0", "49", "x", "60001"])("refuses %s", async (value) => {
    const child = spawn(process.execPath, [COMMAND, "serve", "--poll", value], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    expect((await once(child, "close"))[0]).toBe(2);
    expect(said).toContain("--poll takes a number of milliseconds from 50 to 60000");
  });
});
