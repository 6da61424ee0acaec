/** A worker process of `cms build`. */
import { readFile, writeFile } from "node:fs/promises";
import { fingerprintOf } from "../../static-site/build.ts";
import type { Channel } from "../../static-site/workers/protocol.ts";
import { serveWorker, type WorkerContext } from "../../static-site/workers/worker.ts";
import { OutputFiles } from "../../static-site/output/output-files.ts";
import { openDependencies } from "../../static-site/dependencies.ts";
import { buildPages } from "../../static-site/page-files.ts";
import { openTemplateUse } from "../../static-site/template-use.ts";
import { treeSource } from "../../static-site/sources/tree.ts";
import { KINDS, openCms } from "../../cms.ts";
import { openPageLog } from "../../static-site/page-log.ts";
import { silentLog, systemEnv } from "../../env.ts";
import type { Sharing } from "../../store/content/shared-reads.ts";
import type { Given, WorkerOrder, Share } from "../../static-site/workers/processes.ts";
import { tuneForBuild } from "./engine.ts";

tuneForBuild();

const [root, number, of, file] = process.argv.slice(2) as [string, string?, string?, string?];
const builder = process.ppid;
const send = (message: object): void => void process.send?.(message);
// The message may arrive before this worker has a share to send.
const given = new Promise<readonly string[]>((resolve) => {
  process.on("message", (message: object) => "given" in message && resolve((message as Given).given));
});
const sharing: Sharing = {
  number: Number(number),
  of: Number(of),
  async exchange(mine) {
    await writeFile(file!, mine);
    send({ share: file! } satisfies Share);
    return Promise.all((await given).filter((each) => each !== file).map((each) => readFile(each)));
  },
};
// The builder logs the problems of the site. Errors logged for a page are part of its outcome.
const log = openPageLog(silentLog);
const opening = openCms(root, {
  env: systemEnv(log),
  readOnly: true,
  writesCache: false,
  ...(file !== undefined && { sharing }),
});

async function openContext({ out, now, ...formats }: WorkerOrder): Promise<WorkerContext> {
  const cms = await opening;
  const { config, templates } = cms;
  const content = cms.store.current;
  const dependencies = openDependencies();
  const source = treeSource({ root, content, kinds: KINDS, config, now, epoch: async () => null, dependencies });
  const use = openTemplateUse(templates);
  const writer = new OutputFiles(out);
  // "disconnect" is emitted between batches only, and another build may have started by then.
  const put: typeof writer.put = (path, text) => (process.ppid === builder ? writer.put(path, text) : process.exit());
  const context = { config, templates, dependencies, source, pages: source.pages, use, log, output: { put } };
  return {
    contentId: `${fingerprintOf(config, source.name, formats)} ${source.content!()}`,
    dependencies: dependencies.all,
    sets: use.sets,
    async make(jobs) {
      // Allows "disconnect" to be emitted.
      await new Promise((resolve) => setImmediate(resolve));
      return buildPages(context, formats, jobs);
    },
  };
}

const channel: Channel = {
  postMessage: (message) => send(message as object),
  on: (event, listener) => process.on(event, (message: object) => void ("given" in message || listener(message))),
};
serveWorker(channel, openContext);
// The builder has the same error, and reports it.
process.on("unhandledRejection", () => process.exit(1));
process.on("disconnect", () => process.exit());
