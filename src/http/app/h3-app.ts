/**
 * The server as an h3 app, a function from request to response, so that tests need no port.
 *
 * One handler takes every path: h3 treats `/x` and `/x/` as one route, while `pages-router/changes` and
 * `pages-router/changes/` are different here.
 *
 * Loading h3 has Node load its web classes, which takes 25 to 40 ms: `cms serve` loads this module when
 * it listens already.
 */
import { H3, HTTPResponse, toNodeHandler } from "h3";
import type { SiteContext } from "../../library/context.ts";
import { openAnswers, type Answer, type AppOptions } from "./app.ts";
import { requestOfEvent } from "../request/request.ts";
import type { Handle } from "../socket/serve.ts";

/** The app of one site. It holds nothing that must be closed. */
export function h3App(ctx: SiteContext, options?: AppOptions): H3 {
  const answers = openAnswers(ctx, options);
  const app: H3 = new H3({ silent: true, allowMalformedURL: true });
  app.all("/**", async (event) => new AnswerResponse(await answers.answer(requestOfEvent(event))));
  return app;
}

/** The app for the requests of a Node server. */
export const nodeApp = (ctx: SiteContext, options?: AppOptions): Handle => toNodeHandler(h3App(ctx, options));

/** h3 passes the headers on unchanged, so a list avoids a `Headers` object for every answer. */
class AnswerResponse extends HTTPResponse {
  readonly #headers: readonly string[];

  constructor({ status, headers, body }: Answer) {
    super(body as ConstructorParameters<typeof HTTPResponse>[0], { status });
    this.#headers = headers;
  }

  override get headers(): Headers {
    const entries: [string, string][] = [];
    for (let at = 0; at < this.#headers.length; at += 2) entries.push([this.#headers[at]!, this.#headers[at + 1]!]);
    return entries as unknown as Headers;
  }
}
