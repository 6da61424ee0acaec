/**
 * Pages that load themselves again in development mode. Each holds an event stream, and loads again when the stream
 * names another version of the site than the page was made from.
 *
 * Versions are compared, so a page also notices what changed while it was not connected, such as a restart of the
 * server. Browsers open six connections to a host at most, so a hidden page closes its stream.
 */
import { createHash } from "node:crypto";
import { beforeBodyEnd } from "../public/body-end.ts";
import type { Reply } from "../request/reply.ts";

/** No permalink made from a title begins with a dot. */
export const LIVE_RELOAD_PATH = "/.cms/live-reload";

/** In milliseconds: shorter than the limits of the server and of proxies for connections without traffic. */
const HEARTBEAT = 15_000;
/** In milliseconds: how soon browsers connect again. */
const RETRY = 500;
/** Then the oldest stream ends, so that streams leave connections for other requests. Its page connects again. */
export const STREAMS_MAX = 100;

export interface LiveReload {
  /** The version of the site. It is to be read before a page is made: a change meanwhile then loads the page again. */
  readonly version: string;
  /** To be called after each change that pages may show. */
  reload(): void;
  /** The event stream: the current version at once, and each later one. */
  stream(): Reply;
  /** Ends all streams. */
  close(): void;
}

/** @param run identifies this run of the server, so that pages of the one before load again */
export function openLiveReload(run: string): LiveReload {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let changes = 0;
  const version = (): string => `${run}-${changes}`;
  const send = (text: string): void => {
    const bytes = encoder.encode(text);
    for (const stream of streams) stream.enqueue(bytes);
  };
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT).unref();
  return {
    get version() {
      return version();
    },
    reload() {
      changes++;
      send(`data: ${version()}\n\n`);
    },
    stream() {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          const [oldest] = streams.size < STREAMS_MAX ? [] : streams;
          if (oldest) {
            streams.delete(oldest);
            oldest.close();
          }
          streams.add(controller);
          controller.enqueue(encoder.encode(`retry: ${RETRY}\ndata: ${version()}\n\n`));
        },
        cancel() {
          if (own) streams.delete(own);
        },
      });
      return { status: 200, headers: { "content-type": "text/event-stream", "cache-control": "no-store" }, body };
    },
    close() {
      clearInterval(heartbeat);
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}

/** The script of a page made from the given version of the site. */
const scriptOf = (version: string): string => `
(() => {
  let source;
  const follow = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource("${LIVE_RELOAD_PATH}");
    source.onmessage = ({ data }) => data === "${version}" || location.reload();
  };
  document.addEventListener("visibilitychange", follow);
  follow();
})();
`;

/** An HTML answer that loads itself again after changes. @param version of the site when the answer was begun */
export function withLiveReload(reply: Reply, version: string, policy: string | null): Reply {
  const { body, headers } = reply;
  if (typeof body !== "string" || !headers["content-type"]?.startsWith("text/html")) return reply;
  const script = scriptOf(version);
  const allowed = headers["content-security-policy"] ?? policy;
  return {
    ...reply,
    body: beforeBodyEnd(body, `<script>${script}</script>`),
    headers: {
      ...headers,
      "cache-control": "no-store",
      ...(allowed !== null && { "content-security-policy": allowScript(allowed, script) }),
    },
  };
}

/**
 * The policy with one inline script and its connection allowed. Directives that do not restrict scripts or connections
 * stay unchanged.
 */
export function allowScript(policy: string, script: string): string {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name) directives.set(name.toLowerCase(), sources);
  }
  const allow = (name: string, source: string): void => {
    const sources = directives.get(name) ?? directives.get("default-src");
    // Browsers ignore 'unsafe-inline' beside a hash, which would disable the scripts of the page itself.
    if (!sources || sources.includes(source) || (name === "script-src" && sources.includes("'unsafe-inline'"))) return;
    directives.set(name, [...sources.filter((each) => each !== "'none'"), source]);
  };
  allow("script-src", `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  allow("connect-src", "'self'");
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
