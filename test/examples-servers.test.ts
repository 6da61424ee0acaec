/** The development servers in examples/ show drafts with the developer's token, so they answer this machine alone. */
import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { localOnly } from "../src/front-ends/eleventy.ts";

const read = (path: string): string => readFileSync(new URL(`../examples/${path}`, import.meta.url), "utf8");

it("binds Next, Nuxt and Astro to 127.0.0.1", () => {
  expect(JSON.parse(read("next/package.json")).scripts).toMatchObject({
    dev: "next dev -H 127.0.0.1",
    start: "next start -H 127.0.0.1",
  });
  expect(JSON.parse(read("nuxt/package.json")).scripts.dev).toBe("nuxt dev --host 127.0.0.1");
  expect(read("astro/astro.config.ts")).toContain('server: { host: "127.0.0.1" }');
  expect(JSON.parse(read("astro/package.json")).scripts.dev).toBe("astro dev");
});

it("has Eleventy, which has no such setting, refuse other machines before anything else", () => {
  expect(read("eleventy/eleventy.config.js")).toContain("eleventy.addPlugin(gitCms");
  for (const [remoteAddress, isLocal] of [
    ["127.0.0.1", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["192.168.1.7", false],
    ["::ffff:10.0.0.1", false],
    ["fe80::1", false],
    [undefined, false],
  ] as const) {
    const response = { writeHead: vi.fn(() => response), end: vi.fn() };
    const next = vi.fn();
    localOnly({ socket: { remoteAddress } }, response, next);
    expect([remoteAddress, next.mock.calls.length, response.end.mock.calls.length]).toEqual([
      remoteAddress,
      Number(isLocal),
      Number(!isLocal),
    ]);
    if (!isLocal) expect(response.writeHead).toHaveBeenCalledWith(403, expect.anything());
  }
});

it("marks the shown page alone in the menu of the Astro example", () => {
  expect(read("astro/src/components/Menu.astro")).toContain('aria-current={url === at ? "page" : undefined}');
});
