/** `npm run build`: has Next render the pages that changed, and adds them to the output in `site`. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { finish, prepare, SITE } from "./incremental.js";
import { DATA, readSite } from "./site.js";

const site = readSite();
const changed = prepare(site);
// Next refuses an export without any page.
if (changed.length > 0) {
  rmSync("out", { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  cpSync("out", SITE, { recursive: true });
  for (const file of readdirSync("out", { recursive: true, encoding: "utf8" }).sort())
    if (/(^|[\\/])index\.html$/.test(file) && !/^(404|_not-found)/.test(file)) console.log(`Rendered /${file}`);
}
for (const name of ["media", "_redirects"])
  if (existsSync(`${DATA}/${name}`))
    cpSync(`${DATA}/${name}`, `${SITE}/${name}`, { recursive: true, preserveTimestamps: true, filter: isNewer });
finish();

/**
 * Pictures that are there already are not copied again.
 *
 * @param {string} from
 * @param {string} to
 */
function isNewer(from, to) {
  const source = statSync(from);
  return source.isDirectory() || !existsSync(to) || statSync(to).mtimeMs < source.mtimeMs;
}
