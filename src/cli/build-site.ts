/** Opens what `cms build` builds from: the tree, or the templates here with the content of a running service. */
import type { BuildInput } from "../build/build.ts";
import { openQuestions } from "../build/questions.ts";
import { treeSource } from "../build/tree.ts";
import { KINDS, openCms } from "../cms.ts";
import { SERVICE } from "../actions/context.ts";
import { sweepDue } from "../actions/sweep.ts";
import type { Env } from "../env.ts";
import { renderEpoch } from "../store/page-history.ts";

export interface SiteSettings {
  readonly env: Env;
  readonly publishDue: boolean;
  readonly server: string | undefined;
  readonly token: string | undefined;
  readonly cache: string | undefined;
  readonly data: boolean;
  readonly out: string;
}

export interface BuildSite {
  /** What to build from, as it is now; a fresh one for each build. */
  input(): Promise<BuildInput>;
  close(): Promise<void>;
}

/** @throws CmsError `setup` when the site's folder or the service is not fit to build from */
export async function openSite(root: string, { env, publishDue }: SiteSettings): Promise<BuildSite> {
  const cms = await openCms(root, { env, readOnly: !publishDue });
  if (publishDue) await sweepDue(cms, SERVICE, "Scheduled publish (static build)");
  const { config, store, history, templates } = cms;
  const now = env.now();
  const content = store.current;
  const epoch = await renderEpoch(store.repo, history, content);
  return {
    async input() {
      const questions = openQuestions();
      return { config, templates, questions, source: treeSource({ root, content, kinds: KINDS, config, now, epoch, questions }) };
    },
    close: () => cms.close(),
  };
}
