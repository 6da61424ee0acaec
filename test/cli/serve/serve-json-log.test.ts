/** `cms serve --log json`: every line is a message as JSON. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { COMMAND, eventually, site } from "../process.ts";

/** @param whenReady after it the server is stopped; without it the server ends by itself */
async function lines(args: readonly string[], whenReady?: (said: () => string) => Promise<void>) {
  const { dir } = site();
  const child = spawn(process.execPath, [COMMAND, "serve", "--root", dir, "--log", "json", ...args], {
    env: GIT_ENV,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  await whenReady?.(() => said);
  if (whenReady) child.kill("SIGTERM");
  const [code] = await ended;
  return {
    code,
    messages: said
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

it("says the banner, responses and the end as one JSON line each", async () => {
  const { code, messages } = await lines(["--port", "0"], async (said) => {
    await eventually(async () => said().includes("Branch"));
    const address = /(http:\/\/[\d.]+:\d+\/)/.exec(said())![1]!;
    await fetch(`${address}about/`);
  });
  expect(code).toBe(0);
  const told = messages.map(({ message, path }) => String(message ?? path));
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^git-cms \S+ {2}ready in \d+ ms$/),
      expect.stringMatching(/^Site +http:\/\/127\.0\.0\.1:\d+\/$/),
      expect.stringMatching(/^Branch +main at [0-9a-f]{10}$/),
      "/about/",
      "Stopping.",
    ]),
  );
});

it("says why it cannot start as JSON", async () => {
  const { code, messages } = await lines(["--port", "0", "--host", "192.0.2.1"]);
  expect(code).toBe(1);
  expect(messages.at(-1)).toMatchObject({
    level: "error",
    message: expect.stringContaining("192.0.2.1 cannot be listened on"),
  });
});
