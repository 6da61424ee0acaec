/** A build that follows a killed one equals a full build. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cms, emptyFolder, PAGE, site } from "../cli/process.ts";
import { filesIn } from "./build-site.ts";

const COMMAND = fileURLToPath(new URL("../../bin/cms.cjs", import.meta.url));
const KILLS = 4;

it("is finished by the next build, whenever it was killed", { timeout: 60_000 }, async () => {
  const pages = (title: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [
        `content/pages/p${n}.yaml`,
        PAGE(1000 + n, `P${n}`).replace(`title: P${n}`, `title: ${title} ${n}`),
      ]),
    );
  const made = site({ ...pages("First"), "media/a.txt": "a" });
  const out = join(emptyFolder(), "out");
  const build = ["build", "--root", made.dir, "--out", out, "--quiet", "--jobs", "2"];
  const began = performance.now();
  expect(await cms(build)).toMatchObject({ code: 0 });
  const whole = performance.now() - began;
  const first = filesIn(out);
  for (let kill = 0; kill < KILLS; kill++) {
    for (const [path, text] of Object.entries(pages(`Round ${kill}`))) made.save(path, text);
    made.save("content/pages/new.yaml", PAGE(5000 + kill, `New${kill}`));
    const child = spawn(process.execPath, [COMMAND, ...build], { stdio: "ignore" });
    const ended = once(child, "close");
    setTimeout(() => child.kill("SIGKILL"), (whole * (kill + 4)) / (KILLS + 4));
    await ended;
    // Back to what the last finished build was made of: whatever the killed one has done must be undone.
    if (kill % 2 === 0) {
      for (const [path, text] of Object.entries(pages("First"))) made.save(path, text);
      made.git("clean", "-fdq", "content");
    }
    expect(await cms(build)).toMatchObject({ code: 0 });
    const fresh = join(emptyFolder(), "out");
    expect(await cms(["build", "--root", made.dir, "--out", fresh, "--quiet"])).toMatchObject({ code: 0 });
    expect(filesIn(out)).toEqual(filesIn(fresh));
    if (kill % 2 === 0) expect(filesIn(out)).toEqual(first);
  }
});
