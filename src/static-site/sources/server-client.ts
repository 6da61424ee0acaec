/** A client of a running service, by its public API. */
import { setup } from "../../errors.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { trimEnd } from "../../model/text/trim.ts";

export interface Client {
  /** Without a final slash. */
  readonly origin: string;
  readonly hasToken: boolean;
  /** The body as text. @returns undefined for 401, 403 and 404 @throws CmsError `setup` */
  text(path: string): Promise<string | undefined>;
  json<T>(path: string): Promise<T | undefined>;
  /** All records of a list. */
  list(path: string): Promise<readonly JsonObject[]>;
  bytes(path: string): Promise<Uint8Array>;
  /** The ETag of a path. */
  version(path: string): Promise<string | undefined>;
  /** Publishes due drafts. @returns how many; undefined when that is not allowed */
  publishDue(): Promise<number | undefined>;
}

const API = "/api/cms/";
/** Concurrent requests. */
const OPEN_MAX = 16;
const TRIES = 3;
const TIMEOUT_MS = 60_000;

/** @throws CmsError `setup` for an invalid address */
export function openClient(url: string, token: string | undefined): Client {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw setup(`--server takes the address of a service, not "${url}".`);
  const origin = trimEnd(url, "/");
  const inTurn = limited(OPEN_MAX);
  const ask = (path: string, method = "GET"): Promise<Response> =>
    inTurn(async () => {
      // The token is sent to the service's API only.
      const headers: Record<string, string> =
        token !== undefined && path.startsWith(API) ? { authorization: `Token ${token}` } : {};
      for (let tries = 1; ; tries++) {
        try {
          const answer = await fetch(origin + path, {
            method,
            headers,
            redirect: "manual",
            signal: AbortSignal.timeout(TIMEOUT_MS),
          });
          if (answer.status < 500 || tries === TRIES) return await withBody(answer);
        } catch (error) {
          if (tries === TRIES)
            throw setup(`${origin} does not answer: ${String((error as Error).cause ?? error)}`, error);
        }
        await new Promise((later) => setTimeout(later, 200 * tries));
      }
    });
  const get = async (path: string): Promise<Response | undefined> => {
    const answer = await ask(path);
    if (answer.status === 401 && token !== undefined) throw setup(`${origin} does not know the token.`);
    if ([401, 403, 404].includes(answer.status)) return undefined;
    if (!answer.ok) throw setup(`${origin}${path} answers ${answer.status}.`);
    return answer;
  };
  const json = async <T>(path: string): Promise<T | undefined> =>
    (await get(API + path))?.json() as Promise<T | undefined>;
  return {
    origin,
    hasToken: token !== undefined,
    text: async (path) => (await get(API + path))?.text(),
    json,
    async list(path) {
      const found = await json<readonly JsonObject[] | { readonly items: readonly JsonObject[] }>(path);
      return found === undefined ? [] : "items" in found ? found.items : found;
    },
    async bytes(path) {
      const answer = await get(path);
      if (!answer) throw setup(`${origin}${path} does not exist.`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    version: async (path) => (await ask(path, "HEAD")).headers.get("etag") ?? undefined,
    async publishDue() {
      const answer = await ask(`${API}pages-router/publish-due`, "POST");
      return answer.ok ? ((await answer.json()) as { published: number }).published : undefined;
    },
  };
}

/** Reads the whole body, before the next request begins. */
async function withBody(answer: Response): Promise<Response> {
  const body = answer.status === 204 || answer.status === 304 ? null : await answer.arrayBuffer();
  return new Response(body && body.byteLength > 0 ? body : null, { status: answer.status, headers: answer.headers });
}

function limited(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let open = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (open >= max) await new Promise<void>((turn) => waiting.push(turn));
    else open++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else open--;
    }
  };
}
