/**
 * The packed program, linked with the packages that are installed here: `npm install` in a folder takes no network and no time.
 * Without it `npx cms` fails, as it does for a person in a clone without packages.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GIT_ENV } from "../store/git/git-site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface PackedProgram {
  /** For folders that are removed with it. */
  readonly folder: string;
  /** Starts a script of Bash that ends at the first command that fails. */
  start(script: string, cwd: string): ChildProcess;
  /** @returns what it said @throws when it fails */
  run(script: string, cwd: string): Promise<string>;
  remove(): void;
}

export function packProgram(): PackedProgram {
  const folder = mkdtempSync(join(tmpdir(), "cms-packed-"));
  const packages = join(folder, "packages/node_modules");
  const program = join(packages, "git-cms");
  mkdirSync(program, { recursive: true });
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const packed = execFileSync("npm", pack, { cwd: ROOT, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(folder, packed), "--strip-components=1", "-C", program]);
  const { dependencies } = JSON.parse(readFileSync(join(program, "package.json"), "utf8")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  }
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh
case "$1" in install|ci) ;; *) echo "No npm $1 here." >&2; exit 1 ;; esac
mkdir -p node_modules/.bin
ln -sfn '${program}' node_modules/git-cms
for name in cms git-cms; do ln -sf ../git-cms/bin/cms.cjs node_modules/.bin/$name; done
`,
  );
  // The real npx looks the same way, after half a second.
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh
name=$1; shift
test -x "node_modules/.bin/$name" || { echo "npx would ask the registry for $name." >&2; exit 127; }
exec "node_modules/.bin/$name" "$@"
`,
  );
  for (const name of ["npm", "npx"]) chmodSync(join(bin, name), 0o755);
  chmodSync(join(program, "bin/cms.cjs"), 0o755);
  const env = {
    ...process.env,
    ...GIT_ENV,
    GIT_AUTHOR_NAME: "Pat Person",
    GIT_AUTHOR_EMAIL: "pat@example.org",
    GIT_COMMITTER_NAME: "Pat Person",
    GIT_COMMITTER_EMAIL: "pat@example.org",
    PATH: `${bin}:${process.env.PATH}`,
    NO_COLOR: "1",
  };
  const start = (script: string, cwd: string): ChildProcess =>
    spawn("bash", ["-euo", "pipefail", "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  return {
    folder,
    start,
    async run(script, cwd) {
      const child = start(script, cwd);
      let said = "";
      for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (said += String(chunk)));
      const [code] = (await once(child, "close")) as [number | null];
      if (code !== 0) throw new Error(`It ended with ${code}:\n${script}\n${said}`);
      return said;
    },
    remove: () => existsSync(folder) && rmSync(folder, { recursive: true, force: true }),
  };
}
