/** `cms build --server` equals a build from the tree. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cms, emptyFolder, serve, site, tokenFor, type Server } from "../cli/process.ts";
import type { GitSite } from "../store/git/git-site.ts";
import { filesIn } from "./build-site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The example site in a folder of its own, served. */
async function served(): Promise<{ made: GitSite; server: Server; token: string }> {
  const made = site();
  made.git("rm", "-rq", "content", "templates");
  for (const part of ["content", "templates", "media", "cms.config.yaml"])
    cpSync(join(ROOT, part), join(made.dir, part), {
      recursive: true,
      filter: (path) => !/media.(renditions|thumbnails)/.test(path),
    });
  // Other tests encode pictures.
  made.save(
    "cms.config.yaml",
    made.text("cms.config.yaml")!.replace("RENDITIONS: { COMMIT: false }", "RENDITIONS: { ENABLE: false }"),
  );
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message=Example");
  const token = await tokenFor(made.dir);
  return { made, server: await serve(made.dir, [], { token }), token };
}

const built = async (made: GitSite, args: readonly string[]): Promise<Map<string, string>> => {
  const out = join(emptyFolder(), "out");
  const ended = await cms(["build", "--root", made.dir, "--out", out, ...args]);
  expect(ended).toMatchObject({ code: 0 });
  return filesIn(out);
};

it("has the same bytes, also while pages change", { timeout: 240_000 }, async () => {
  const { made, server, token } = await served();
  const remote = ["--server", server.url, "--token", token];
  const [theirs, ours] = [await built(made, remote), await built(made, [])];
  expect([...theirs.keys()]).toEqual([...ours.keys()]);
  expect(theirs).toEqual(ours);

  const { body } = await server.ask("GET", "api/cms/pages/?fltr=status=PUB");
  const [first, second] = body as { id: number }[];
  const out = join(emptyFolder(), "out");
  const build = ["build", "--root", made.dir, "--out", out, ...remote];
  expect(await cms(build)).toMatchObject({ code: 0 });
  let running = true;
  const changing = (async () => {
    for (let n = 0; running && n < 40; n++)
      await server.ask("PATCH", `api/cms/pages/${[first, second][n % 2]!.id}/`, { description: `Changed ${n}` });
  })();
  expect(await cms(build)).toMatchObject({ code: 0 });
  running = false;
  await changing;
  // The last change counts; an incremental build fetches it.
  expect(await cms([...build, "--verify"])).toMatchObject({ code: 0 });
  expect([...filesIn(out)].sort()).toEqual([...(await built(made, []))].sort());
});

it("writes the same data for front ends, and asks for a staff token", { timeout: 240_000 }, async () => {
  const { made, server, token } = await served();
  const remote = ["--data-only", "--server", server.url];
  const [theirs, ours] = [await built(made, [...remote, "--token", token]), await built(made, ["--data-only"])];
  expect([...theirs.keys()]).toEqual([...ours.keys()]);
  expect(theirs).toEqual(ours);
  const data = (name: string): unknown => JSON.parse(ours.get(`_data/${name}.json`)!);
  expect([data("meta-types"), data("en/media"), data("it/tags"), Object.keys(data("en/menus") as object)]).toEqual([
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining([expect.anything()]),
    expect.arrayContaining(["main"]),
  ]);

  const refused = (...args: string[]) =>
    cms(["build", "--root", made.dir, "--out", join(emptyFolder(), "out"), ...remote, ...args]);
  expect(await refused()).toMatchObject({
    code: 1,
    err: expect.stringContaining("shows meta-types only to its staff: give a token with --token") as string,
  });
  expect(await refused("--token", "nobody's")).toMatchObject({
    code: 1,
    err: expect.stringContaining("does not know the token") as string,
  });
});
