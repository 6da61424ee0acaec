/** A remote over HTTP that breaks off its answers: nothing is half done, and the next sync finishes. `SYNC_SEED` sets the places. */
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { gitHttp } from "../../support/git-servers.ts";
import { bareRemote, complaintsOf } from "./clones.ts";

const SEED = Number(process.env.SYNC_SEED ?? 1);
const ROUNDS = Number(process.env.SYNC_RUNS ?? 6);
const HOME = "content/pages/home.yaml";
const page = (title: string, titolo: string): string =>
  `id: 1\ndate_created: 2026-01-01T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n  it:\n    title: ${titolo}\n`;

it("leaves both sides whole, wherever an answer ends", { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
  const remote = bareRemote({
    "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
    [HOME]: page("A", "B"),
  });
  const server = await gitHttp(dirname(remote.dir));
  const [a, b] = [remote.clone(), remote.clone()];
  a.git("remote", "set-url", "origin", `${server.url}/${basename(remote.dir)}`);
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    b.save(HOME, page(`Title ${round}`, b.text(HOME)!.split("title: ").at(-1)!.trim()));
    const theirs = b.commit("Theirs");
    b.git("push", "--quiet");
    a.save(HOME, page(a.text(HOME)!.split("title: ")[1]!.split("\n")[0]!, `Titolo ${round}`));
    const ours = a.commit("Ours");
    // An answer with refs has some 200 bytes, one with a pack some 800.
    server.cutAfter((SEED * 7919 + round * 97) % 900);
    const where = `round ${round}, seed ${SEED}`;
    await a.sync().catch((error: unknown) => {
      failed++;
      expect(error, where).toMatchObject({ code: "unavailable" });
    });
    expect(complaintsOf(a), where).toBe("");
    expect(a.git("merge-base", ours, "HEAD").trim(), where).toBe(ours);
    server.cutAfter(null);
    await a.sync();
    for (const commit of [ours, theirs]) expect(remote.git("merge-base", commit, "main").trim(), where).toBe(commit);
    expect(a.text(HOME), where).toBe(page(`Title ${round}`, `Titolo ${round}`));
    await b.sync();
  }
  expect(failed).toBeGreaterThan(0);
  expect(complaintsOf(a) + complaintsOf(b)).toBe("");
  expect(remote.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
});
