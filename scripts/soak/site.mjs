/** The site of a soak: the example with more pages, a remote, a colleague's clone, and accounts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cms, mustRun } from "./process.mjs";

const PAGES_PER_FOLDER = 100;

/**
 * @param {string} dir an empty folder
 * @param {number} pages how many pages of ballast to add
 * @returns {Promise<{ root: string, remote: string, colleague: string, token: string }>}
 */
export async function makeSite(dir, pages) {
  const root = join(dir, "site");
  const remote = join(dir, "remote.git");
  const colleague = join(dir, "colleague");
  await mustRun(process.execPath, [new URL("../../bin/cms.cjs", import.meta.url).pathname, "init", root]);
  for (let n = 0; n < pages; n++) {
    const folder = join(root, "content/pages/ballast", String(Math.floor(n / PAGES_PER_FOLDER)));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `page-${n}.yaml`), ballast(n));
  }
  await mustRun("git", ["add", "-A"], { cwd: root });
  await mustRun("git", ["commit", "-q", "-m", "Add ballast"], { cwd: root });
  await mustRun("git", ["branch", "-M", "main"], { cwd: root });
  await mustRun("git", ["init", "-q", "--bare", "-b", "main", remote]);
  await mustRun("git", ["remote", "add", "origin", remote], { cwd: root });
  await mustRun("git", ["push", "-q", "-u", "origin", "main"], { cwd: root });
  await mustRun("git", ["clone", "-q", remote, colleague]);
  const added = await cms(root, ["user", "add", "edith", "--staff", "--superuser"], {
    env: { CMS_PASSWORD: "open sesame" },
  });
  if (added.code !== 0) throw new Error(`No account could be made: ${added.err}`);
  const token = (await cms(root, ["token", "edith"])).out.trim();
  return { root, remote, colleague, token };
}

const ballast = (n) => `id: ${500_000_000 + n}
date_created: 2026-01-02T00:00:00.000Z
translations:
  en:
    title: Ballast ${n}
    permalink: /ballast-${n}
    autopermalink: false
    published_at: 2026-01-02T00:00:00.000Z
    template_data:
      body: |
        ${"Ballast keeps the ship upright. ".repeat(30).trim()}
`;
