/** One page's files: its payload for front ends, its HTML by the code of the HTML route. */
import type { Config } from "../config.ts";
import { encodePath } from "../model/locale.ts";
import type { TemplateRequest } from "../render/inject.ts";
import { renderPage } from "../render/page.ts";
import type { Templates } from "../render/templates.ts";
import type { Job, Outcome } from "./workers/protocol.ts";
import type { Writer } from "./output/output.ts";
import { fileIn } from "./output/output-path.ts";
import type { Dependencies } from "./dependencies.ts";
import { failureOf, type Failure } from "./report.ts";
import type { Made, Source } from "./sources/source.ts";
import type { Facts, Listing } from "./state/state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface OutputFormats {
  readonly html: boolean;
  readonly json: boolean;
}

export interface RenderContext {
  readonly config: Config;
  readonly templates: Templates;
  readonly dependencies: Dependencies;
  readonly source: Source;
  /** Pages by the place their jobs name. */
  readonly pages: readonly Listing[];
  readonly use: TemplateUse;
  readonly output: Writer;
}

const HTML = "index.html";
const JSON_FILE = "index.json";

/** The files of each page, in their order. */
export const namesOf = ({ html, json }: OutputFormats): string[] => [
  ...(html ? [HTML] : []),
  ...(json ? [JSON_FILE] : []),
];

/** A page filled: its payload, and what that was made of. */
interface Filled {
  readonly listing: Listing;
  readonly made: Made;
  readonly facts: Facts;
  readonly payloadDeps: readonly number[];
}

interface Rendered extends Filled {
  /** null where no HTML is wanted. */
  readonly html: string | null;
  readonly renderDeps: readonly number[];
  readonly templates: number;
}

/** What came of a page: its texts, or why there are none. */
type Attempt = { readonly page: Rendered; readonly failure?: never } | { readonly failure: Failure };

/**
 * Makes pages and writes them, each by itself: what one fails at is its own.
 *
 * All take a step before any takes the next, so that the step's code and data stay in the processor's caches: a fifth of
 * the time less than page by page.
 *
 * @throws what is neither the content's fault nor the disk's
 */
export async function buildPages(
  context: RenderContext,
  wanted: OutputFormats,
  jobs: readonly Job[],
): Promise<readonly Outcome[]> {
  const failures = new Map<number, Attempt>();
  const step = async <From, To>(
    pages: ReadonlyMap<number, From>,
    take: (from: From) => Promise<To>,
  ): Promise<ReadonlyMap<number, To>> => {
    const taken = new Map<number, To>();
    for (const [at, from] of pages) {
      try {
        taken.set(at, await take(from));
      } catch (error) {
        failures.set(at, { failure: failureOfPage(error, context.pages[at]!) });
      }
    }
    return taken;
  };
  const listings = new Map(jobs.map(([at]) => [at, context.pages[at]!]));
  const filled = await step(listings, (listing) => fill(context, listing));
  const rendered = await step(filled, async (page) =>
    wanted.html ? render(context, page) : { ...page, html: null, renderDeps: [], templates: context.use.none },
  );
  const attempts = new Map<number, Attempt>([
    ...failures,
    ...Array.from(rendered, ([at, page]) => [at, { page }] as const),
  ]);
  return jobs.map(([at, folder]) => {
    const attempt = attempts.get(at)!;
    if (attempt.failure) return { at, written: 0, failure: attempt.failure };
    try {
      return write(context, wanted, attempt.page, at, folder);
    } catch (error) {
      return { at, written: 0, failure: failureOfPage(error, attempt.page.listing) };
    }
  });
}

const failureOfPage = (error: unknown, { path, language_code }: Listing): Failure =>
  failureOf(error, path, language_code);

async function fill({ dependencies, source }: RenderContext, listing: Listing): Promise<Filled> {
  const { value: made, noted: payloadDeps } = await dependencies.gather(() => source.make(listing));
  return { listing, made, payloadDeps, facts: source.facts(listing, made) };
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
  // A function of the site's own may look anywhere, so such a page is never taken for unchanged.
  const isOurs = templates.inject === null && shown.inject === null;
  return { ...page, html: value.value, renderDeps, templates: isOurs ? value.set : -1 };
}

function write(
  { output }: RenderContext,
  wanted: OutputFormats,
  { listing, made, facts, payloadDeps, html, renderDeps, templates }: Rendered,
  at: number,
  folder: string,
): Outcome {
  const texts: [string, string][] = [
    ...(html === null ? [] : [[HTML, html] as [string, string]]),
    ...(wanted.json ? [[JSON_FILE, made.text] as [string, string]] : []),
  ];
  const written = texts.filter(([name, text]) => output.put(fileIn(folder, name), text)).length;
  const { path, permalink, language_code } = listing;
  const sizes = texts.map(([, text]) => Buffer.byteLength(text));
  return {
    at,
    written,
    page: { path, permalink, language_code, hash: made.hash, ...facts, payloadDeps, renderDeps, templates, sizes },
  };
}

/** Does the work again for as long as it fails for want of what can be got. */
export async function settled<T>(source: Source, work: () => Promise<T> | T): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(await source.settle?.())) throw error;
    }
  }
}

/** The request a visitor would make; unknown without the site's own address (decisions.md 43). */
export function requestFor({ BASE_URL }: Config, language: string, url: string): TemplateRequest | undefined {
  if (BASE_URL === null) return undefined;
  return { path: url, url: BASE_URL + url, host: new URL(BASE_URL).host, language };
}
