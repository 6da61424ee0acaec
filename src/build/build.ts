/**
 * A static site that is exactly what the service would serve, made by doing only what has changed.
 *
 * Every page is made by the code of the HTML route. What each asked of the content is noted, and a page is kept only
 * while every answer is still the same, so that building what changed and building everything end with the same bytes.
 */
import objectHash from "object-hash";
import type { Config } from "../config.ts";
import { PROGRAM } from "../version.ts";
import { ROBOTS } from "../views/sitemap.ts";
import type { BuildInput, BuildOptions } from "./input.ts";
import { foldersOf, jobsOf, makePages } from "./make-pages.ts";
import { mediaFilesOf } from "./media-files.ts";
import { builtFolder, fileIn } from "./output/output-path.ts";
import { openOutput, type Output } from "./output/output.ts";
import { namesOf, type OutputFormats } from "./page-files.ts";
import { keepable, renderEverything, whereIntact, type Plan } from "./plan.ts";
import type { Failure, Report } from "./report.ts";
import { siteNames, writeSiteFiles } from "./site-files.ts";
import { nextColumns, nextState, nextUnchangedDirs } from "./state/next-state.ts";
import { readState, writeState } from "./state/state-file.ts";
import type { State } from "./state/state.ts";
import { openTemplateUse } from "./template-use.ts";

/** @throws CmsError `setup` when the folder is not a build's and not empty */
export async function build(input: BuildInput, options: BuildOptions): Promise<Report> {
  const began = performance.now();
  const { config, source } = input;
  const use = openTemplateUse(input.templates);
  const failures: Failure[] = [];
  const fingerprint = fingerprintOf(config, source.name, options);
  const stored = readState(options.out);
  const before = !options.full && stored?.fingerprint === fingerprint ? stored : undefined;

  const folders = foldersOf(source.pages, config.MEDIA.URL, failures);
  const byContent = before ? await keepable(before, { ...input, use }, folders) : renderEverything(source, folders);
  const output = openOutput(options.out, stored);
  const plan = before ? whereIntact(byContent, output.isIntact) : byContent;
  const jobs = jobsOf(plan);
  const media = await mediaFilesOf(source, config.MEDIA.URL, stored, output);

  const names = namesOf(options);
  const filesIn = (folder: string): string[] => names.map((name) => fileIn(folder, name));
  const formerly = formerFiles(stored, plan.kept, output);
  // A robots.txt that no build has written is the site's own: announced, it would be removed after a killed build.
  const isForeign = (path: string): boolean => path === ROBOTS && output.found.has(path) && !formerly.has(path);
  output.announce([
    ...new Set([
      ...jobs.flatMap(([, folder]) => filesIn(folder)),
      ...media.toCopy,
      ...siteNames(options, plan.pages.length).filter((path) => !isForeign(path)),
      ...(input.extra?.keys() ?? []),
      ...formerly,
    ]),
  ]);

  const made = await makePages({ ...input, pages: plan.pages, output, use }, options, fingerprint, jobs);
  failures.push(...made.failures);
  // Removed before media are copied: a file may have become a folder, or a folder a file.
  const left = [...formerly].filter(
    (path) => path.startsWith(config.MEDIA.URL.slice(1)) && !media.files.has(path) && output.remove(path),
  );
  const copied = await media.copy(failures);
  const columns = nextColumns(plan, made, before);
  const site = await writeSiteFiles(
    { input, options, output, columns, before, media: media.files, isForeign },
    failures,
  );
  const now = new Set(Object.keys(site.files));
  for (const [at, folder] of jobs) if (made.pages.has(at)) for (const file of filesIn(folder)) now.add(file);
  const gone = [...formerly].filter((path) => !now.has(path) && output.remove(path));

  const lastScan = { began: output.look.began, unchangedDirs: nextUnchangedDirs(plan, made, output) };
  const epoch = await source.epoch();
  const { files } = site;
  const { sets: templates } = use;
  writeState(options.out, nextState(input, { fingerprint, names, epoch, columns, files, templates, lastScan, before }));
  output.settle();
  return {
    pages: columns.path.length,
    rendered: jobs.length,
    kept: columns.path.length - made.pages.size,
    removed: left.length + gone.length,
    written: made.written + copied + site.written,
    media: media.files.size,
    unknown: [...[...output.found.keys()].filter((path) => !formerly.has(path)), ...output.links]
      .filter((path) => !now.has(path))
      .sort(),
    failures,
    warnings:
      config.BASE_URL === null && options.html
        ? ["BASE_URL is not set, so the sitemap has no absolute addresses."]
        : [],
    took: Math.round(performance.now() - began),
  };
}

/** Files of former builds that may have to be removed: those of pages that are rendered again or gone, and those of no page. */
function formerFiles(stored: State | undefined, kept: Plan["kept"], { unsure }: Output): Set<string> {
  const files = new Set([...unsure, ...Object.keys(stored?.files ?? {})]);
  if (!stored) return files;
  const stays = new Uint8Array(stored.pages.path.length);
  for (const at of kept) if (at >= 0) stays[at] = 1;
  for (let at = stays.indexOf(0); at >= 0; at = stays.indexOf(0, at + 1)) {
    // Where it was built, wherever pages may be by now.
    for (const name of stored.names) files.add(fileIn(builtFolder(stored.pages.path[at]!), name));
  }
  return files;
}

/**
 * Of what every page depends on beside the content: program, settings, what is wanted.
 *
 * @param name the source's
 */
export function fingerprintOf(config: Config, name: string, { html, json }: OutputFormats): string {
  // Functions among the settings count by their text, and the order of languages counts.
  return objectHash([PROGRAM.version, name, html, json, config], { algorithm: "sha1", unorderedObjects: false });
}
