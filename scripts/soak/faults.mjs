/** What befalls the server: kills, restarts, pauses, a full disk, errors of the disk, and other commands beside it. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { cms, run } from "./process.mjs";
import { pause, randomOf } from "./random.mjs";

const FAULTS = { kill: 40, restart: 8, pause: 10, fullDisk: 8, diskErrors: 6, command: 28 };
/** Faults that leave the process running, for the calm stretches in which memory is measured. */
const CALM_FAULTS = { pause: 10, command: 30 };
const COMMANDS = [
  ["check"],
  ["manifest"],
  ["publish-scheduled"],
  ["regenerate-renditions", "--missing"],
  ["build", "--out", "../out"],
];
/** System calls that a disk may fail; `?` lets the name be unknown on this processor. */
const FAILING = "?fsync,?fdatasync,?rename,?renameat,?renameat2,?link,?linkat,?unlink,?unlinkat";
const PIECE = Buffer.alloc(1 << 20);

/** Why errors of the disk cannot be injected here; undefined where they can. */
export function whyNoDiskErrors() {
  const tried = spawnSync("strace", [
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-e",
    `trace=${FAILING}`,
    "-o",
    "/dev/null",
    "true",
  ]);
  if (tried.error) return "strace is not installed";
  return tried.status === 0 ? undefined : `strace cannot trace here: ${tried.stderr.toString().trim().slice(0, 120)}`;
}

export function openFaults({ root, server, report, seed, hasOwnDisk, canFail }) {
  const random = randomOf(seed, "faults");
  const count = (name) => (report.faults[name] = (report.faults[name] ?? 0) + 1);

  /** @returns false where there is nothing to fill but the machine's own disk */
  async function fillDisk() {
    const filler = join(root, "../filler");
    const file = openSync(filler, "w");
    try {
      for (let piece = 0; statfsSync(root).bavail > 0 && piece < 16_384; piece++) writeSync(file, PIECE);
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
    await pause(random.between(300, 2_000));
    rmSync(filler);
  }

  const faults = {
    async kill() {
      await server.kill();
      await pause(random.between(0, 200));
      await server.start();
    },
    async restart() {
      await server.stop();
      await server.start();
    },
    async pause() {
      server.signal("SIGSTOP");
      await pause(random.between(200, 2_500));
      server.signal("SIGCONT");
    },
    fullDisk: fillDisk,
    async diskErrors() {
      await server.stop();
      const every = `when=${random.between(20, 200)}+${random.between(30, 300)}`;
      const error = random.pick(["EIO", "ENOSPC", "EROFS"]);
      const args = ["-e", `trace=${FAILING}`, "-e", `inject=${FAILING}:error=${error}:${every}`];
      const isUp = await server.start({
        wrapper: ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", ...args],
      });
      if (isUp) await pause(random.between(2_000, 6_000));
      await server.kill();
      await server.start();
    },
    async command() {
      const args = random.pick(COMMANDS);
      const done = await cms(root, args);
      const row = (report.commands[args[0]] ??= { done: 0, refused: 0, failed: [] });
      if (done.code === 0) row.done++;
      // The developer is in the middle of a merge or a rebase: refused, with the reason.
      else if (/in progress|HEAD is detached/.test(done.err)) row.refused++;
      else row.failed.push(done.hung ? "it hung" : (done.err || done.out).slice(-400));
      if (done.hung) report.stuck.push(`cms ${args.join(" ")} hung`);
    },
  };

  return {
    /** One fault, then some time in which work goes on. */
    async next(isCalm) {
      const name = random.weighted(isCalm ? CALM_FAULTS : FAULTS);
      if ((name === "fullDisk" && !hasOwnDisk) || (name === "diskErrors" && !canFail)) return;
      await faults[name]();
      count(name);
      if (!isCalm) await pause(random.between(200, 3_000));
    },
  };
}

/** A file system of its own in memory, so that it can be filled; undefined where this user may not mount one. */
export async function mountDisk(dir, megabytes) {
  const mounted = await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", dir]);
  return mounted.code === 0 ? async () => void (await run("umount", ["-l", dir])) : undefined;
}
