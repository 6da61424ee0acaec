/** A process that makes pages of a site beside the one that builds it. */
import { fingerprintOf, makeHere } from "../build/build.ts";
import { lendHand, type Bench } from "../build/crew.ts";
import { openWriter } from "../build/output.ts";
import type { Wanted } from "../build/page-files.ts";
import { openQuestions } from "../build/questions.ts";
import { openTemplateUse } from "../build/template-use.ts";
import { treeSource } from "../build/tree.ts";
import { KINDS, openCms } from "../cms.ts";
import { silentLog, systemEnv } from "../env.ts";
import type { Instant } from "../model/instant.ts";

/** What there is to build, and when: the same moment for all. */
export interface HandOrder {
  readonly out: string;
  readonly wanted: Wanted;
  readonly now: Instant;
}

const root = process.argv[2]!;
// The builder says what is wrong with the site, and leaves caches for the next start.
const opening = openCms(root, { env: systemEnv(silentLog), readOnly: true, keepsCache: false });

async function openBench({ out, wanted, now }: HandOrder): Promise<Bench> {
  const cms = await opening;
  const { config, templates } = cms;
  const content = cms.store.current;
  await cms.close(); // no more is read than what was loaded
  const questions = openQuestions();
  const source = treeSource({ root, content, kinds: KINDS, config, now, epoch: null, questions });
  const use = openTemplateUse(templates);
  const shop = { config, templates, questions, source, use, output: openWriter(out) };
  return {
    sees: `${fingerprintOf(config, source.name, wanted)} ${source.content!()}`,
    questions: questions.all,
    sets: use.sets,
    make: ([at, folder]) => makeHere(shop, wanted, at, folder),
  };
}

lendHand({ postMessage: (message) => void process.send!(message), on: (event, listener) => process.on(event, listener) }, openBench);
// What goes wrong here goes wrong for the builder too, who says so.
process.on("unhandledRejection", () => process.exit(1));
// Nobody is left to make pages for.
process.on("disconnect", () => process.exit());
