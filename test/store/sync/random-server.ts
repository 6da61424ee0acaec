/** A server on a clone, with a clock of its test, which may die at any change that it makes on the disk. */
import { join } from "node:path";
import { openCms, type Cms } from "../../../src/cms.ts";
import type { Env } from "../../../src/env.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { bury, faultyFs, type Fault, type FaultyFs } from "../git/faulty-fs.ts";
import type { Clone } from "./clones.ts";

export interface RandomServer {
  readonly clone: Clone;
  readonly cms: Cms;
  /** Whether it cannot reach the remote. */
  isCutOff: boolean;
  /**
   * Does the work, and dies at a changing call of it, counted from 1; if the work makes fewer, it lives.
   * After its death it is started again.
   *
   * @returns whether the work was done, so that it would have been acknowledged
   */
  dieAt(call: number, when: Extract<Fault, { kind: "killed" }>["when"], work: () => Promise<unknown>): Promise<boolean>;
}

export async function openRandomServer(clone: Clone, env: Env): Promise<RandomServer> {
  let { cms, faulty } = await start();

  async function start(): Promise<{ readonly cms: Cms; readonly faulty: FaultyFs }> {
    const disk = faultyFs();
    const repo = await openGitRepo(clone.dir, { env, fs: disk.fs, lockWaitMs: 100 });
    return { cms: await openCms(clone.dir, { env, repo }), faulty: disk };
  }

  return {
    clone,
    isCutOff: false,
    get cms() {
      return cms;
    },
    async dieAt(call, when, work) {
      const calls = faulty.calls();
      const isDead = (): boolean => faulty.calls() - calls >= call;
      faulty.failAt(call, { kind: "killed", when });
      let isDone = false;
      try {
        await work();
        isDone = true;
      } catch (error) {
        if (!isDead()) throw error;
      }
      if (!isDead()) {
        faulty.heal();
        return isDone;
      }
      await cms.close().catch(() => undefined); // the dead write nothing
      faulty.heal();
      bury(join(clone.dir, ".git"));
      await faulty.closeAll();
      ({ cms, faulty } = await start());
      return isDone;
    },
  };
}
