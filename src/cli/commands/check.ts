/** `cms check`: every problem in the tree, with file, line and column. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Option, type Command } from "commander";
import type { Cms } from "../../cms.ts";
import { silentLog, systemEnv } from "../../env.ts";
import { CHECK_RULES, isBinding, type CheckRule } from "../../model/text/check-rules.ts";
import { atLevel, compareProblems, ruleOf, severityOf, showProblem, type Problem } from "../../model/text/problem.ts";
import { acceptsAnyTemplate } from "../../render/headless.ts";
import type { ContentKeys } from "../../render/check/template-check.ts";
import { blockTemplate } from "../../model/records/block-type.ts";
import { blockTypesIn } from "../../store/records/block-types.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { MENUS } from "../../store/records/menus.ts";
import { publicPath } from "../../model/language/locale.ts";
import { allSummaries } from "../../store/content/indexes/pages-by-model.ts";
import { PAGE_MODEL, permalinkIn } from "../../model/page/page.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { PAGE_MODELS } from "../../store/records/page-models.ts";
import { asAnnotation, asText, DOCUMENTS, FORMATS } from "../check/formats.ts";
import { run, siteRoot, UsageError, withSite, withSiteOptions, type SiteOptions } from "../command.ts";
import { asCalled } from "../program-name.ts";
import { openSteps, type Steps } from "../progress.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface CheckFlags extends SiteOptions {
  readonly json?: boolean;
  readonly format: string;
  readonly every?: boolean;
  readonly rules?: boolean;
  readonly strict?: boolean;
  readonly explain?: boolean;
  readonly fix?: boolean;
  readonly render?: boolean;
  readonly push?: readonly string[];
  readonly as?: string;
}

export function registerCheck(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("check"))
    .description("report all problems in the tree; exit code 1 when there is an error")
    .addOption(new Option("--format <format>", "how problems are printed").choices(FORMATS).default("text"))
    .option("--json", "print a list of { path, line, column, severity, rule, message }, as --format json")
    .option("--every", "print each problem, also where one rule has many")
    .option("--rules", "list the rules, and print no problems")
    .option("--strict", "count warnings as errors")
    .option("--fix", "mend the files where there is one right answer: missing ids, references by former permalinks")
    .option("--render", "render every public page in every language (default where CI=true)")
    .option("--no-render", "render no page")
    .option(
      "--push <commits...>",
      "judge the range from an old to a new commit by the roles of the old one, and check no more",
    )
    .option(
      "--as <author>",
      "with --push: whose it is, by user name or address (default: as a forge says, else the signers)",
    )
    .option("--explain", "tell what pages have from the place of their files")
    .action(
      run(io, async (flags: CheckFlags) => {
        if (flags.rules) {
          for (const [rule, text] of Object.entries(CHECK_RULES))
            io.stdout.write(
              `${rule.padEnd(RULE_WIDTH)} ${text}${isBinding(rule as CheckRule) ? " (It cannot be ignored.)" : ""}\n`,
            );
          return 0;
        }
        if (flags.push) return judgePush(io, flags, flags.push);
        const root = siteRoot(flags);
        const { openCms } = await import("../../cms.ts");
        const steps = openSteps(io, flags);
        steps.begin("Reading the content");
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true }).catch((error: unknown) => {
          steps.end();
          throw error;
        });
        const { fixed, lasting } = await problemsAndFixes(cms, steps, {
          ...flags,
          render: flags.render ?? io.env.CI === "true",
        }).finally(steps.end);
        const found = await atLevels(cms, lasting);
        const problems = [...found, ...forgottenLocks(root)].sort(compareProblems);
        const { takenByPlace } = await import("../../store/check/names.ts");
        const explained = flags.explain ? takenByPlace(cms.store.current) : [];
        const notes = [
          ...(await cms.store.repo.notes(["content", "media"])),
          ...(await templateNotes(cms)),
          ...explained.map(({ path, message }) => `${path}: ${message}`).sort(),
        ];
        await cms.close();
        const format = flags.json ? "json" : flags.format;
        const document = DOCUMENTS.get(format);
        if (document) io.stdout.write(`${JSON.stringify(document(problems), null, 2)}\n`);
        else for (const line of asText(problems, flags.every === true)) io.stdout.write(`${asCalled(io, line)}\n`);
        if (format === "github" || (format === "text" && io.env.GITHUB_ACTIONS === "true"))
          for (const problem of problems) io.stdout.write(`${asAnnotation(problem)}\n`);
        for (const problem of fixed) say(io, flags, `fixed: ${showProblem(problem)}`);
        for (const note of notes) say(io, flags, `note: ${note}`);
        const errors = problems.filter((problem) => severityOf(problem) === "error").length;
        say(io, flags, summary(errors, problems.length - errors));
        return errors > 0 || (flags.strict && problems.length > 0) ? 1 : 0;
      }),
    );
}

async function judgePush(io: Io, flags: CheckFlags, [from, to, ...rest]: readonly string[]): Promise<number> {
  if (from === undefined || to === undefined || rest.length > 0)
    throw new UsageError("--push takes two commits: the old one and the new one.");
  const [{ checkPush }, { stateDirOf }] = await Promise.all([
    import("../push/check-push.ts"),
    import("../../store/private/private-state.ts"),
  ]);
  const refusals = await withSite(flags, { env: systemEnv(silentLog), readOnly: true }, (cms) =>
    checkPush(cms, { from, to, as: flags.as }, io.env, stateDirOf(cms.root, io.env)),
  );
  for (const reason of refusals) io.stdout.write(`${reason}\n`);
  say(io, flags, refusals.length === 0 ? "The push may be made." : "The push is refused.");
  return refusals.length === 0 ? 0 : 1;
}

/** With `--fix`, what is left after it. */
async function problemsAndFixes(
  cms: Cms,
  steps: Steps,
  { fix, render = false }: CheckFlags,
): Promise<{ readonly fixed: readonly Problem[]; readonly lasting: readonly Problem[] }> {
  const first = await lastingProblems(cms, steps, render);
  const fixed = fix ? await mend(cms, first) : [];
  return { fixed, lasting: fixed.length > 0 ? await lastingProblems(cms, steps, render) : first };
}

const HAS_COMMENTS = /\.(ya?ml|md|html)$/;

/** At the levels of the settings, without those that comments in their files ignore. */
async function atLevels({ store, config }: Cms, problems: readonly Problem[]): Promise<Problem[]> {
  const read = new Map<string, readonly string[]>();
  const linesOf = async (path: string): Promise<readonly string[]> => {
    if (!HAS_COMMENTS.test(path)) return [];
    const known = read.get(path) ?? new TextDecoder().decode((await store.repo.read(path))?.bytes).split("\n");
    read.set(path, known);
    return known;
  };
  const kept: Problem[] = [];
  for (const problem of problems) {
    // A file that does not load may have a name that cannot be read.
    const lines = isBinding(ruleOf(problem)) ? [] : await linesOf(problem.path);
    const found = atLevel(problem, config.CHECK.RULES, lines);
    if (found) kept.push(found);
  }
  return kept;
}

/** Writes the files without the problems that have one right answer, and commits nothing. @returns those problems */
async function mend({ store }: Cms, problems: readonly Problem[]): Promise<Problem[]> {
  const { fixedFiles } = await import("../../store/check/fix.ts");
  const files = await fixedFiles(store, problems);
  for (const { path, bytes } of files) writeFileSync(join(store.repo.root, path), bytes);
  if (files.length > 0) await store.refresh();
  return files.flatMap(({ problems: mended }) => mended);
}

/** `No problems.`, `2 problems.`, `1 warning.`, `2 problems, 1 warning.` */
function summary(errors: number, warnings: number): string {
  const counted = (count: number, noun: string): string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return `${[...counted(errors, "problem"), ...counted(warnings, "warning")].join(", ") || "No problems"}.`;
}

/** How often a tree that is being written to is checked. */
const CHECKS = 5;

/** What templates name; read anew, since a check is repeated. */
const keysOf = ({ store: { current }, locales }: Cms): ContentKeys => ({
  types: current.all(META_TYPES).map(({ key }) => key),
  menus: current.all(MENUS).map(({ key }) => key),
  blocks: blockFields(current),
  models: [PAGE_MODEL, ...current.all(PAGE_MODELS).map(({ name }) => name)],
  // A path without a language is looked up in every language.
  paths: allSummaries(current).flatMap((page) =>
    locales.codes.flatMap((lang) => {
      const former = page.aliases.flatMap(({ language, from }) => (language === lang ? from : []));
      return [permalinkIn(page, lang) ?? [], former]
        .flat()
        .flatMap((each) => [each, publicPath(locales, lang, each, false)]);
    }),
  ),
});

/** The fields of block types by the template that shows them, which several may share. */
function blockFields(reader: Reader): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { name, template, schema } of blockTypesIn(reader)) {
    const path = template || blockTemplate(name);
    found.set(path, [...(found.get(path) ?? []), ...schema.map((field) => field.name)]);
  }
  return found;
}

/**
 * The problems in the tree. While a server or git writes, a check may see some files from before a change and some from
 * after it, so a problem counts when the next check finds it again.
 */
async function lastingProblems(cms: Cms, steps: Steps, rendersPages: boolean): Promise<Problem[]> {
  const [{ allProblems }, { staticProblems }, { listError }] = await Promise.all([
    import("../../store/check/check.ts"),
    import("../../store/check/static-files.ts"),
    import("../../views/page/pagination.ts"),
  ]);
  const { config, locales, store, templates } = cms;
  const texts = new Map(templates.list().map((name) => [name, templates.text(name) ?? ""]));
  const [{ templateProblems }, { markdownParts }, { pageKeys, publicPages, renderProblems }] = await Promise.all([
    import("../../render/check/template-check.ts"),
    import("../../render/markdown.ts"),
    import("../check/render-pages.ts"),
  ]);
  const [{ templateLinkProblems }, { staticFiles }] = await Promise.all([
    import("../../render/check/template-links.ts"),
    import("../../store/content/public-files.ts"),
  ]);
  const isRenderedHere = texts.size > 0 && !acceptsAnyTemplate(config, templates);
  const surroundings = {
    mediaUrl: config.MEDIA.URL,
    ...(isRenderedHere && { files: new Set((await staticFiles(cms.root)).map(({ path }) => `/${path}`)) }),
    listError,
    ...(!acceptsAnyTemplate(cms.config, cms.templates) && { hasTemplate: cms.templates.has }),
    templates: [...texts.values()],
    readMarkdown: markdownParts,
  };
  const check = async (): Promise<Problem[]> => {
    const pages = await publicPages(cms);
    const inTemplates = templateProblems(cms.templates, hasInjectedContext(cms), {
      ...keysOf(cms),
      page: pageKeys(cms, pages),
    });
    const problems = [
      ...(await allProblems(store, locales, surroundings)),
      ...(isRenderedHere ? templateLinkProblems(store.current, locales, surroundings, texts) : []),
      ...inTemplates,
      ...(await staticProblems(cms.root, cms.locales, pages)),
      ...(rendersPages ? await renderProblems(cms, pages, inTemplates) : []),
    ];
    return [...new Map(problems.map((problem) => [showProblem(problem), problem])).values()];
  };
  steps.begin("Checking the content and the templates");
  let found = await check();
  for (let checks = 1; checks < CHECKS && found.length > 0; checks++) {
    const before = await stateOf(cms);
    steps.begin("Checking again what was found");
    await cms.store.refresh();
    const again = new Set((await check()).map(showProblem));
    const isStill = found.every((problem) => again.has(showProblem(problem)));
    found = found.filter((problem) => again.has(showProblem(problem)));
    if (isStill && (await stateOf(cms)) === before) break;
  }
  return found;
}

/** Names of templates that are no files, on a site whose pages may have them. */
async function templateNotes({ config, templates, store }: Cms): Promise<string[]> {
  if (!acceptsAnyTemplate(config, templates)) return [];
  const { foreignTemplates } = await import("../../store/check/templates.ts");
  return [...foreignTemplates(store.current, templates.has)].map(
    ([name, pages]) =>
      `${pages === 1 ? "One page names" : `${pages} pages name`} the template "${name}", which is not below templates/.`,
  );
}

/** Whether modules of the site add variables, and perhaps functions, to templates. */
const hasInjectedContext = ({ templates, store }: Cms): boolean =>
  templates.inject !== null || store.current.all(PAGE_MODELS).some((model) => model.inject_context !== null);

/** Changes with every commit and every change of the index. */
async function stateOf({ store: { repo } }: Cms): Promise<string> {
  const index = statSync(join(repo.root, ".git", "index"), { throwIfNoEntry: false });
  return `${(await repo.state()).head} ${index?.ino} ${index?.mtimeMs}`;
}

const RULE_WIDTH = Math.max(...Object.keys(CHECK_RULES).map((rule) => rule.length));

const LOCKS = ["index.lock", "HEAD.lock", "packed-refs.lock"];
/** Seconds; no git command holds a lock longer. */
const LOCK_AGE = 60;

/** Locks that block all writes and are probably left from a crash. They are reported, never removed. */
function forgottenLocks(root: string): Problem[] {
  return LOCKS.flatMap((name): Problem[] => {
    const lock = statSync(join(root, ".git", name), { throwIfNoEntry: false });
    const age = lock ? Math.round((Date.now() - lock.mtimeMs) / 1000) : 0;
    return age < LOCK_AGE
      ? []
      : [
          {
            path: `.git/${name}`,
            rule: "stale-lock",
            message: `It is ${age} s old and blocks all writes. If no git command is running, remove it.`,
          },
        ];
  });
}
