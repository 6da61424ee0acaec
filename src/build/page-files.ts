/** One page's files: its payload for front ends, its HTML by the code of the HTML route. */
import type { Config } from "../config.ts";
import type { RequestFacts } from "../render/request.ts";
import { renderShown } from "../render/page.ts";
import type { Templates } from "../render/templates.ts";
import type { Writer } from "./output.ts";
import { fileIn } from "./place.ts";
import type { Questions } from "./questions.ts";
import type { Listing, Source } from "./source.ts";
import type { BuiltPage } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Wanted {
  readonly html: boolean;
  readonly json: boolean;
}

export interface Workshop {
  readonly config: Config;
  readonly templates: Templates;
  readonly questions: Questions;
  readonly source: Source;
  readonly output: Writer;
  readonly use: TemplateUse;
}

const HTML = "index.html";
const JSON_FILE = "index.json";

export const namesOf = ({ html, json }: Wanted): string[] => [...(html ? [HTML] : []), ...(json ? [JSON_FILE] : [])];

/** @returns also how many files are other ones now. @throws CmsError `broken` when its template fails */
export async function buildPage(shop: Workshop, wanted: Wanted, listing: Listing, folder: string): Promise<{ page: BuiltPage; written: number }> {
  const { questions, source, output } = shop;
  const { value: made, noted: reads } = await questions.gather(() => source.make(listing));
  const facts = source.facts(listing, made);
  const rendered = wanted.html ? await render(shop, listing, source.shown(listing, made), facts.url) : undefined;
  const texts: [string, string][] = [...(rendered ? [[HTML, rendered.html] as [string, string]] : []), ...(wanted.json ? [[JSON_FILE, `${made.text}\n`] as [string, string]] : [])];
  const written = texts.filter(([name, text]) => output.put(fileIn(folder, name), text)).length;
  const { path, permalink, language_code } = listing;
  const page: BuiltPage = {
    path,
    permalink,
    language_code,
    hash: made.hash,
    ...facts,
    reads,
    asks: rendered?.asks ?? [],
    templates: rendered?.templates ?? shop.use.none,
    files: Object.fromEntries(texts.map(([name, text]) => [name, Buffer.byteLength(text)])),
  };
  return { page, written };
}

async function render({ config, templates, questions, source, use }: Workshop, listing: Listing, shown: ReturnType<Source["shown"]>, url: string) {
  const view = source.view(listing.language_code);
  const request = requestFor(config, listing.language_code, url);
  const { value, noted: asks } = await questions.gather(() => use.gather(() => settled(source, () => renderShown(templates, view, shown, request, { ask: source.ask }))));
  // A function of the site's own may look anywhere, so such a page is never taken for unchanged.
  const isOurs = templates.inject === null && shown.inject === null;
  return { html: value.value, asks, templates: isOurs ? value.set : -1 };
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
export function requestFor({ BASE_URL }: Config, language: string, url: string): RequestFacts | undefined {
  if (BASE_URL === null) return undefined;
  return { path: url, url: BASE_URL + url, host: new URL(BASE_URL).host, language };
}
