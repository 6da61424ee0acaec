/** A front end on another origin than the service, whose pages follow the editor in each of the ways that the bridge has. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const MODULES = fileURLToPath(new URL("../../../dist/bridge/", import.meta.url));

export interface FrontEnd {
  readonly origin: string;
  /** The origin of the service, once it is known. */
  service: string;
  /** A page by its path, beside those that it has. */
  readonly pages: Map<string, string>;
  /** What its scripts told it: requests below `/told/`. */
  readonly told: string[];
}

interface Shown {
  readonly title: string;
  readonly description: string | null;
  readonly paths?: object;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** @param scripts at the end of the body */
const html = ({ title, description, paths }: Shown, scripts: string): string => {
  const mark = (field: string): string => (paths ? ` data-cms-field="${field}"` : "");
  return (
    `<!doctype html><title>Front</title><body><main><h1${mark("title")}>${escaped(title)}</h1>` +
    `<p${mark("description")}>${escaped(description ?? "")}</p><p>${"long ".repeat(3000)}</p></main><footer>${escaped(title).toUpperCase()}</footer>${scripts}</body>`
  );
};

/**
 * `/client/`: a component in the browser; `/server/`: a server that asks the service; `/static/`: a file.
 *
 * @param host by default another site than that of the service, not only another port
 */
export async function openFrontEnd(host = "localhost"): Promise<FrontEnd> {
  const front = { origin: "", service: "", pages: new Map<string, string>(), told: [] as string[] };
  const script = (attributes = ""): string =>
    `<script src="${front.service}/api/cms/bridge.js"${attributes} defer></script>`;
  const published: Shown = { title: "About", description: null, paths: {} };

  async function fromService(path: string, key: string | null): Promise<Shown> {
    const asked = (router: string, query: string) => fetch(`${front.service}/api/cms/${router}${path}${query}`);
    const kept = await asked("pages-router-preview", `?key=${key}&paths=1`);
    return (await (kept.ok ? kept : await asked("pages-router", "")).json()) as Shown;
  }

  async function answer({ url = "" }: IncomingMessage): Promise<[type: string, text: string] | undefined> {
    const { pathname, searchParams } = new URL(url, "http://front");
    const [, first, ...rest] = pathname.split("/");
    const known = front.pages.get(pathname);
    if (known !== undefined) return ["text/html", known];
    if (first === "bridge") return ["text/javascript", readFileSync(MODULES + rest.join("/"), "utf8")];
    if (first === "told") return ["text/plain", String(front.told.push(decodeURIComponent(rest.join("/"))))];
    if (pathname === "/static/about/") return ["text/html", html(published, script())];
    if (first === "server")
      return [
        "text/html",
        html(await fromService(`/${rest.join("/")}`, searchParams.get("key")), script(" data-refresh")),
      ];
    if (pathname !== "/client/about/") return undefined;
    const component =
      `<script type="module">import { connect } from "/bridge/bridge.js";` +
      `connect({ service: "${front.service}", onPage(page) { document.querySelector("h1").firstChild.data = page.title; } });</script>`;
    return ["text/html", html(published, component)];
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (found) => {
        const [type, text] = found ?? ["text/plain", "Not found"];
        response.writeHead(found ? 200 : 404, { "content-type": `${type}; charset=utf-8` }).end(text);
      },
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  front.origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return front;
}

/** The settings of a site that shows the ways of a front end, and others that are given. */
export const settingsFor = ({ origin }: FrontEnd, ...paths: readonly string[]): string =>
  `LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\nPREVIEW:\n  SITES:\n${paths
    .map((path) => `    - { URL: "${origin}", PATH: "${path}" }\n`)
    .join("")}`;
