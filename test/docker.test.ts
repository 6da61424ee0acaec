/**
 * Dockerfile and compose.yaml, without a Docker engine: what they name exists, the steps of the build run in a folder that
 * has only what is copied, and the command and the health check of the image run against each other.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { SETTINGS } from "../src/config.ts";
import { OTHER_VARIABLES, variableOf } from "../src/config/environment.ts";
import { emptyFolder, eventually } from "./cli/process.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage, without comments and with continued lines joined. */
const STAGES = read("examples/docker/Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n/g, " ")
  .split("\n")
  .filter(Boolean)
  .reduce<Instruction[][]>((stages, line) => {
    const [, name = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.push([]);
    stages.at(-1)!.push({ name, text });
    return stages;
  }, []);
const [BUILD = [], IMAGE = []] = STAGES;

const textsOf = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((each) => each.name === name).map(({ text }) => text);
const COPIED = textsOf(BUILD, "COPY").map((text) => text.split(/\s+/));
const HEALTH = JSON.parse(/CMD (\[.*\])/.exec(textsOf(IMAGE, "HEALTHCHECK")[0]!)![1]!) as string[];
const COMMAND = JSON.parse(textsOf(IMAGE, "CMD")[0]!) as string[];

/** The files of the repository below these paths: those of a clean clone. */
const tracked = (paths: readonly string[]): string[] =>
  execFileSync("git", ["ls-files", "-z", "--", ...paths], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter(Boolean);

/** What `npm prune --omit=dev` leaves in `node_modules`. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { dev?: boolean }> };
  return Object.entries(packages).flatMap(([path, { dev }]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && existsSync(join(ROOT, path)) ? [path] : [],
  );
}

describe("Dockerfile", () => {
  it("has two stages, of which the image runs as another user than root", () => {
    expect(STAGES).toHaveLength(2);
    const names = IMAGE.map(({ name }) => name);
    expect(textsOf(IMAGE, "USER")).toEqual(["node"]);
    expect(names.indexOf("USER")).toBeGreaterThan(names.lastIndexOf("RUN"));
    expect([textsOf(IMAGE, "VOLUME"), textsOf(IMAGE, "WORKDIR"), textsOf(IMAGE, "EXPOSE")]).toEqual([
      ["/site"],
      ["/site"],
      ["8000"],
    ]);
    expect(textsOf(IMAGE, "ENTRYPOINT")).toEqual(['["cms"]']);
  });

  it("copies what is in a clean clone and not ignored", () => {
    const ignored = read("examples/docker/Dockerfile.dockerignore").split("\n");
    for (const source of COPIED.flatMap((words) => words.slice(0, -1))) {
      expect([source, tracked([source]).length > 0]).toEqual([source, true]);
      expect(ignored).not.toContain(source);
    }
  });

  it("copies all that the package has", () => {
    const { files } = JSON.parse(read("package.json")) as { files: readonly string[] };
    const shipped = files.filter((path) => !path.startsWith("!") && path !== "bundle" && path !== "dist");
    expect(COPIED.flatMap((words) => words.slice(0, -1))).toEqual(expect.arrayContaining(shipped));
  });

  it("serves, and knows when it is ready and when not", { timeout: 300_000 }, async () => {
    const dir = emptyFolder();
    for (const path of tracked(COPIED.flatMap((words) => words.slice(0, -1))))
      cpSync(join(ROOT, path), join(dir, path), { recursive: true });
    const modules = join(dir, "node_modules");
    symlinkSync(join(ROOT, "node_modules"), modules);
    const [install, ...commands] = textsOf(BUILD, "RUN");
    const prune = commands.pop();
    expect([install, prune]).toEqual(["npm ci", "npm prune --omit=dev --ignore-scripts"]);
    for (const command of commands)
      expect(spawnSync(command, { cwd: dir, encoding: "utf8", shell: true })).toMatchObject({ status: 0 });
    rmSync(modules);
    for (const path of productionPackages()) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(dir, path));
    }
    // Where the image finds the program.
    const [, linked = ""] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/cms /.exec(textsOf(IMAGE, "RUN").join("\n")) ?? [];
    const program = join(dir, linked);
    const site = join(emptyFolder(), "site");
    expect(spawnSync(process.execPath, [program, "init", site, "--bare-site"]).status).toBe(0);
    // A free port, and this machine alone.
    const args = COMMAND.map((arg) => (arg === "8000" ? "0" : arg === "0.0.0.0" ? "127.0.0.1" : arg));
    const server = spawn(process.execPath, [program, ...args], { cwd: site, stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void server.kill("SIGKILL"));
    let said = "";
    server.stderr.on("data", (chunk) => (said += chunk));
    await eventually(async () => /Site +http:/.test(said), 150_000);
    const port = /Site +http:\S+?:(\d+)\//.exec(said)![1]!;
    const health = async (): Promise<number | null> => {
      const [node = "", ...rest] = HEALTH.map((arg) => arg.replace("8000", port));
      expect(node).toBe("node");
      return ((await once(spawn(process.execPath, rest), "close")) as [number | null])[0];
    };
    expect(await health()).toBe(0);
    const ended = once(server, "close");
    server.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
    expect(await health()).toBe(1);
  });
});

describe("compose.yaml", () => {
  const { services, volumes } = load(read("examples/docker/compose.yaml")) as Record<string, any>;

  it("keeps the site in a volume, and gives the container no more rights than it needs", () => {
    expect(services.cms).toMatchObject({
      build: { context: "../..", dockerfile: "examples/docker/Dockerfile" },
      read_only: true,
      cap_drop: ["ALL"],
      volumes: ["site:/site"],
    });
    expect(Object.keys(volumes)).toEqual(["site"]);
    expect(services.cms.ports).toEqual(["127.0.0.1:8000:8000"]);
  });

  it("passes on variables that are settings", () => {
    const known = [...SETTINGS.map(({ path }) => variableOf(path)), ...Object.keys(OTHER_VARIABLES)];
    for (const [name, value] of Object.entries(services.cms.environment)) {
      expect(known).toContain(name);
      expect(value).toBe(`\${${name}:-}`);
    }
  });
});
