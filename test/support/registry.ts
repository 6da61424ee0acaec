/**
 * A package registry on this machine: the packed program, and the packages that are installed here. With it the commands of
 * the documentation run as they are written, without the network.
 */
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Registry {
  /** Environment of `npm` and `npx`. */
  readonly env: NodeJS.ProcessEnv;
  close(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** @param folder for the packed program and for the cache of npm */
export async function openRegistry(folder: string): Promise<Registry> {
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
  }).trim();
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8"));
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const paths = Object.keys(packages).filter((path) => !packages[path]!.dev && existsSync(join(ROOT, path)));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://x").pathname).slice(1);
    if (path === "-/program") createReadStream(join(folder, packed)).pipe(response);
    else if (path.startsWith("-/package/")) {
      const from = join(ROOT, path.slice("-/package/".length));
      const tar = spawn("tar", [
        "-cf",
        "-",
        "--exclude=./node_modules",
        "--transform=s,^\\.,package,",
        "-C",
        from,
        ".",
      ]);
      tar.stdout.pipe(response);
    } else {
      const found = paths.filter((each) => (each === "" ? path === "git-cms" : read(each).name === path));
      response.writeHead(found.length > 0 ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(found.length > 0 ? packument(found.map((each) => [each, read(each)])) : {}));
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const packument = (versions: readonly (readonly [string, Manifest])[]): object => ({
    name: versions[0]![1].name,
    "dist-tags": { latest: versions[0]![1].version },
    versions: Object.fromEntries(
      versions.map(([path, manifest]) => {
        const tarball = `${url}/-/${path === "" ? "program" : `package/${encodeURIComponent(path)}`}`;
        return [manifest.version, { ...manifest, dist: { tarball } }];
      }),
    ),
  });
  return { env: { ...environment(folder), npm_config_registry: url }, close: () => server.close() };
}

/** No settings of this machine apply, and npm asks and sends nothing. */
function environment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|.*_proxy$|NODE_OPTIONS|VITEST)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    npm_config_cache: join(folder, "cache"),
    npm_config_userconfig: join(folder, "none"),
    npm_config_globalconfig: join(folder, "none-global"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_yes: "true",
  };
}
