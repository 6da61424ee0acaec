/** `cms config`: values, where they come from, and wrong names. */
import { expect, it } from "vitest";
import { cms, site } from "./process.ts";

const at = (dir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  cms(["config", ...args, "--root", dir], { env });

it("prints what the file and the environment set", async () => {
  const { dir } = site({ "cms.config.yaml": "LANGUAGES: { en: English }\nROUTER_CACHE: 5\n" });
  const { code, out } = await at(dir, ["--set"], { CMS_ROUTER_CACHE: "60" });
  expect(code).toBe(0);
  expect(out).toBe(
    'SETTING       FROM              VALUE\nLANGUAGES     cms.config.yaml   [{"id":"en","name":"English"}]\nROUTER_CACHE  CMS_ROUTER_CACHE  60\n',
  );
});

it("prints one group as JSON, without the query of a listener's address", async () => {
  const { dir } = site({
    "cms.config.yaml": "LANGUAGES: { en: English }\nHOOKS: [{ URL: https://example.org/build?key=secret }]\n",
  });
  const sync = await at(dir, ["SYNC", "--json"]);
  expect(JSON.parse(sync.out)).toContainEqual({ setting: "SYNC.EVERY", value: 30, from: "default" });
  const hooks = await at(dir, ["HOOKS"]);
  expect(hooks.out).toContain("https://example.org/build?…");
  expect(hooks.out).not.toContain("secret");
});

it("suggests a name for a mistyped one", async () => {
  expect(await at(site().dir, ["ROUTER_CASH"])).toMatchObject({
    code: 2,
    err: "error: There is no setting ROUTER_CASH. Did you mean ROUTER_CACHE?\n",
  });
});

it("every command refuses a variable that does not fit, and names it", async () => {
  expect(await cms(["check", "--root", site().dir], { env: { CMS_ROUTER_CACHE: "soon" } })).toMatchObject({
    code: 1,
    err: expect.stringContaining('CMS_ROUTER_CACHE (ROUTER_CACHE): found "soon"'),
  });
});
