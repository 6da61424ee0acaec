/** What a commit has beside its content that reads depend on: templates and settings. */
import { CmsError } from "../../errors.ts";
import type { TemplateFiles } from "../../render/templates.ts";
import type { CommittedFiles } from "../../store/fork/committed-files.ts";
import type { Oid, Repo } from "../../store/repo.ts";
import { pace } from "../../time-slices.ts";

const TEMPLATES = "templates";

/** Larger files below `templates/` are no templates. */
const TEMPLATE_MAX = 2 ** 20;

/** The templates of a commit, read before the first is used: templates are loaded while a page is rendered. */
export async function committedTemplates(repo: Repo, files: CommittedFiles): Promise<TemplateFiles & { key: string }> {
  const texts = new Map<string, string>();
  const listed = await files.list(TEMPLATES);
  for (const [path, oid] of listed) {
    await pace();
    const bytes = await repo.blob(oid);
    if (bytes.length > TEMPLATE_MAX) continue;
    texts.set(path.slice(TEMPLATES.length + 1), Buffer.from(bytes).toString("utf8"));
  }
  return { key: [...listed].join("\n"), read: (name) => texts.get(name), list: () => [...texts.keys()] };
}

/** The settings file of a commit, if it has one. */
export async function committedSettings(
  repo: Repo,
  commit: Oid,
  names: readonly string[],
): Promise<{ readonly name: string; readonly bytes: Uint8Array } | undefined> {
  const [first, second] = [...(await repo.committed(commit, names))].filter(([, oid]) => oid !== null);
  if (second)
    throw new CmsError("not_found", `That commit has more than one settings file: ${first![0]}, ${second[0]}.`);
  return first && { name: first[0], bytes: await repo.blob(first[1]!) };
}
