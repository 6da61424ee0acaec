/** One page's files: its payload for front ends, and its HTML, rendered by the code of the HTML route. */
import { siteAddressOf, type Config } from "../config.ts";
import { placeText } from "../model/address/list-address.ts";
import { encodePath } from "../model/language/locale.ts";
import type { TemplateRequest } from "../render/inject.ts";
import { renderPage } from "../render/page.ts";
import type { Templates } from "../render/templates.ts";
import type { Dependencies } from "./dependencies.ts";
import { fileIn } from "./output/output-path.ts";
import type { OutputFiles } from "./output/output-files.ts";
import type { PageLog } from "./page-log.ts";
import { failureOf, type Failure } from "./report.ts";
import type { Made, Source } from "./sources/source.ts";
import type { BuiltPage, Listing } from "./state/state.ts";
import type { TemplateUse } from "./template-use.ts";
import type { Job, JobEnd } from "./workers/protocol.ts";

export interface OutputFormats {
  readonly html: boolean;
  readonly json: boolean;
}

export interface RenderContext {
  readonly config: Config;
  readonly templates: Templates;
  readonly dependencies: Dependencies;
  readonly source: Source;
  /** By the positions that jobs name. */
  readonly pages: readonly Listing[];
  readonly use: TemplateUse;
  readonly log: PageLog;
  readonly output: Pick<OutputFiles, "put">;
}

const HTML = "index.html";
const JSON_FILE = "index.json";

/** The names of each page's files, in the order in which their sizes are stored. */
export const namesOf = ({ html, json }: OutputFormats): string[] => [
  ...(html ? [HTML] : []),
  ...(json ? [JSON_FILE] : []),
];

/** A page to make. */
interface PageWork {
  readonly listing: Listing;
  readonly folder: string;
  /** Errors logged while it is made. */
  readonly errors: Set<string>;
}

/** A page with its payload, and the dependencies of that. */
interface Filled extends PageWork {
  readonly made: Made;
  readonly payloadDeps: readonly number[];
}

interface Rendered extends Filled {
  /** null where no HTML is wanted. */
  readonly html: string | null;
  readonly renderDeps: readonly number[];
  readonly templates: number;
}

/**
 * Makes pages and writes them. An error fails its own page only.
 *
 * Each step is done for all pages before the next one, so that its code and data stay in the processor's caches: that
 * takes a fifth less time than one page after the other.
 *
 * @throws errors that are neither the content's nor the disk's
 */
export async function buildPages(
  context: RenderContext,
  wanted: OutputFormats,
  jobs: readonly Job[],
): Promise<readonly JobEnd[]> {
  const works = jobs.map(([at, folder]): [number, PageWork] => [
    at,
    { listing: context.pages[at]!, folder, errors: new Set() },
  ]);
  const failures = new Map<number, Failure>();
  const step = async <From extends PageWork, To>(
    pages: Iterable<[number, From]>,
    take: (from: From) => Promise<To>,
  ): Promise<Map<number, To>> => {
    const taken = new Map<number, To>();
    for (const [at, from] of pages) {
      try {
        taken.set(at, await context.log.collect(from.errors, () => take(from)));
      } catch (error) {
        failures.set(at, failureOf(error, from.listing.path, from.listing.language_code));
      }
    }
    return taken;
  };
  const filled = await step(works, (page) => fill(context, page));
  const rendered = await step(filled, async (page) =>
    wanted.html ? render(context, page) : { ...page, html: null, renderDeps: [], templates: context.use.none },
  );
  const written = await step(rendered, async (page) => write(context, wanted, page));
  return works.map(([at, { errors }]) => {
    const failure = failures.get(at);
    return {
      at,
      written: 0,
      ...written.get(at),
      ...(failure && { failure }),
      ...(errors.size > 0 && { errors: [...errors] }),
    };
  });
}

async function fill({ dependencies, source }: RenderContext, page: PageWork): Promise<Filled> {
  const { listing } = page;
  const { value: made, noted: payloadDeps } = await dependencies.gather(() => source.make(listing));
  return { ...page, made, payloadDeps };
}

/** @throws CmsError `broken` when its template fails */
async function render(
  { config, templates, dependencies, source, use }: RenderContext,
  page: Filled,
): Promise<Rendered> {
  const { listing, made } = page;
  const view = source.view(listing.language_code);
  const shown = source.shown(listing, made);
  const request = requestFor(config, listing.language_code, encodePath(listing.path));
  const { value, noted: renderDeps } = await dependencies.gather(() =>
    use.gather(() => settled(source, () => renderPage(templates, view, shown, request, { runQuery: source.ask }))),
  );
  // A function of the site may use anything, so a page whose context it adds to is always rendered.
  const isKeepable = templates.inject === null && shown.inject === null;
  return { ...page, html: value.value, renderDeps, templates: isKeepable ? value.set : -1 };
}

function write(
  { output, source }: RenderContext,
  wanted: OutputFormats,
  { listing, folder, errors, made, payloadDeps, html, renderDeps, templates }: Rendered,
): Pick<JobEnd, "page" | "written"> {
  const texts: [string, string][] = [
    ...(html === null ? [] : [[HTML, html] as [string, string]]),
    ...(wanted.json ? [[JSON_FILE, made.text] as [string, string]] : []),
  ];
  const written = texts.filter(([name, text]) => output.put(fileIn(folder, name), text)).length;
  const { id, path, permalink, language_code, place } = listing;
  const page: BuiltPage = {
    id,
    path,
    permalink,
    language_code,
    place: place ? placeText(place) : "",
    updated: source.updated(listing, made),
    hash: made.hash,
    payloadDeps,
    renderDeps,
    // What failed in a plugin may succeed in the next build, so the page is rendered again.
    templates: errors.size === 0 ? templates : -1,
    sizes: texts.map(([, text]) => Buffer.byteLength(text)),
  };
  return { page, written };
}

/** Repeats the work while it fails because answers are missing that can be fetched. */
export async function settled<T>(source: Source, work: () => Promise<T> | T): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(await source.settle?.())) throw error;
    }
  }
}

/** The request of a visitor; undefined where the site's own address is not configured. */
export function requestFor(config: Config, language: string, url: string): TemplateRequest | undefined {
  const { BASE_URL } = config;
  if (BASE_URL === null) return undefined;
  return { path: url, url: siteAddressOf(config) + url, host: new URL(BASE_URL).host, language };
}
