/** Servers of a benchmark, as processes. */
import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../bin/cms.cjs", import.meta.url));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `cms serve` on a site, at a free port. @returns its address once it answers, and the process, which the caller ends */
export async function serve(root, args, env) {
  const child = spawn(process.execPath, [COMMAND, "serve", "--root", root, "--port", "0", ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  for (;;) {
    const url = /^ {2}➜ Site +(http:\S+\/)$/m.exec(said)?.[1];
    if (url) return { url, child };
    if (child.exitCode !== null) throw new Error(said);
    await pause(20);
  }
}

/** The token of a new account that may do everything. */
export function tokenFor(root, env) {
  const cms = (args, more) =>
    execFileSync(process.execPath, [COMMAND, ...args, "--root", root], {
      env: { ...env, ...more },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  cms(["user", "add", "bench", "--staff", "--superuser"], { CMS_PASSWORD: "open sesame" });
  return cms(["token", "bench"]).trim();
}

/** Gives page 1 an English title by the API. @throws Error with an answer other than 200 */
export async function saveTitle({ url, token }, title) {
  const response = await fetch(`${url}api/cms/pages/1/`, {
    method: "PATCH",
    headers: { authorization: `Token ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ title_en: title }),
  });
  if (response.status !== 200) throw new Error(await response.text());
}
