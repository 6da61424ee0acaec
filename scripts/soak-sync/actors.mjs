/** Editors at each server, a developer with git, and what goes wrong between them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { pause, randomOf } from "../soak/random.mjs";
import { FIELDS, LANGUAGES } from "./site.mjs";

const PAGES = "content/pages";
/** Few, so that pages often take what was the permalink of another page, or of their own. */
const PERMALINKS = ["/alpha", "/beta", "/gamma", "/delta", "/epsilon", "/zeta"];

export function openActors({ network, ledger, report, count, seed }) {
  const { servers, developer, git } = network;

  /** @param random of this editor */
  async function edit(server, random) {
    const listed = await server.ask("GET", "api/cms/pages/");
    const pages = (listed?.status === 200 ? listed.body : []).map(({ id }) => id);
    if (pages.length === 0) return;
    const id = random.pick(pages);
    const [language, field, value] = [random.pick(LANGUAGES), random.pick(FIELDS), ledger.nextValue()];
    const body = { [`${field}_${language}`]: value };
    const kind = random.weighted({
      live: 20,
      draft: 5,
      schedule: 4,
      rename: 4,
      create: 3,
      delete: pages.length > 8 ? 2 : 0,
    });
    if (kind === "rename") {
      const body = { [`permalink_${language}`]: random.pick(PERMALINKS), [`autopermalink_${language}`]: false };
      const done = await server.ask("PATCH", `api/cms/pages/${id}/`, body);
      if (done?.status === 200) count("Permalinks changed");
    } else if (kind === "schedule") {
      // Only what has a draft is scheduled; of a live page without one the answer is a warning.
      const moment = Date.now() + random.between(500, 8_000);
      const body = { publish_at: new Date(moment).toISOString() };
      const done = await server.ask("POST", `api/cms/pages/${id}/schedule/?language=${language}`, body);
      if (done) ledger.noteScheduled(moment);
      if (done?.status === 200) count("Drafts scheduled");
    } else if (kind === "create") {
      const made = await server.ask("POST", "api/cms/pages/", { title_en: `New ${value}`, title_it: `Nuova ${value}` });
      if (made?.status === 201) count("Pages created");
    } else if (kind === "delete") {
      const done = await server.ask("DELETE", `api/cms/pages/${id}/`);
      if (done?.status === 204) count("Pages deleted");
    } else {
      const path = kind === "draft" ? `api/cms/pages/${id}/draft/?language=${language}` : `api/cms/pages/${id}/`;
      ledger.noteTried(id, language, field, value);
      const done = await server.ask("PATCH", path, body);
      if (done?.status === 200) {
        ledger.noteAcknowledged(value);
        count(kind === "draft" ? "Drafts saved" : "Values saved");
      } else if (done && ![404, 409, 503].includes(done.status) && !isTakenPermalink(done))
        report.corrupt.push(`PATCH ${path}: ${done.status} ${JSON.stringify(done.body)}`);
    }
  }

  /** A draft may hold a permalink, from a conflict, that another page has taken since: saving it says so. */
  const isTakenPermalink = ({ status, body }) =>
    status === 400 && Object.keys(body).length > 0 && Object.keys(body).every((field) => field.startsWith("permalink"));

  async function develop(random) {
    const names = (await readdir(join(developer, PAGES))).filter((name) => /^[^.]+\.yaml$/.test(name));
    if (names.length === 0) return;
    const name = random.pick(names);
    const path = join(developer, PAGES, name);
    if (random.next() < 0.2) {
      const to = `moved-${ledger.nextValue().replace(/\D+/g, "")}`;
      const base = name.slice(0, -".yaml".length);
      for (const each of await readdir(join(developer, PAGES)))
        if (each === name || each.startsWith(`${base}.draft.`))
          await git(developer, "mv", `${PAGES}/${each}`, `${PAGES}/${to}${each.slice(base.length)}`);
      await git(developer, "commit", "--quiet", `--message=Move ${name}`);
      count("Pages moved by hand");
    } else {
      const document = parseDocument(readFileSync(path, "utf8"));
      const id = document.get("id");
      const [language, field, value] = [random.pick(LANGUAGES), random.pick(FIELDS), ledger.nextValue()];
      document.setIn(["translations", language, field], value);
      writeFileSync(path, String(document));
      ledger.noteTried(id, language, field, value);
      await git(developer, "commit", "--quiet", "--all", `--message=Edit ${name}`);
      ledger.noteAcknowledged(value);
      count("Commits by hand");
    }
    if (random.next() < 0.5) return;
    const killAfterMs = random.next() < 0.3 ? random.between(300, 2_500) : undefined;
    const { code } = await network.syncDeveloper({ killAfterMs });
    count(code === null ? "`cms sync` killed" : code === 0 ? "`cms sync` done" : "`cms sync` that failed");
    // Git refuses to commit then, and says why. The next sync finishes what was begun.
    if (code === null && existsSync(join(developer, ".git/index.lock"))) await network.syncDeveloper();
  }

  async function disturb(random) {
    await pause(random.between(500, 3_000));
    if (random.next() < 0.5) {
      const { root } = random.pick(servers);
      await network.setCutOff(root, true);
      count("Servers cut off");
      await pause(random.between(1_000, 8_000));
      await network.setCutOff(root, false);
    } else {
      const server = random.pick(servers);
      await server.kill();
      count("Servers killed");
      await server.start();
    }
  }

  const editors = servers.map((server, n) => [(random) => edit(server, random), randomOf(seed, `editor ${n}`)]);
  const actors = [...editors, [develop, randomOf(seed, "developer")], [disturb, randomOf(seed, "disturber")]];

  return {
    /** @param until in milliseconds since 1970 */
    run: (until) =>
      Promise.all(
        actors.map(async ([act, random]) => {
          while (Date.now() < until) {
            await act(random);
            await pause(random.between(0, 200));
          }
        }),
      ),
  };
}
