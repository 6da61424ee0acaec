/** Whether the `git lfs` command is installed, which the tests of Git LFS need. */
import { spawnSync } from "node:child_process";

export const HAS_GIT_LFS = spawnSync("git", ["lfs", "version"], { stdio: "ignore" }).status === 0;

if (!HAS_GIT_LFS) console.warn("The tests of Git LFS are skipped: Git LFS is not installed (apt-get install git-lfs).");
