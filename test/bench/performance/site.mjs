/** A site of pages in two languages of about 3 kB each, the server on it, and git beside it. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const CLI = join(ROOT, "bin/cms.cjs");
/** The default template: what plain nunjucks renders from the payload alone, so that both render the same. */
export const TEMPLATE = "defaults/pages/default.html";
const TEMPLATE_TEXT = `<!doctype html>
<html lang="{{ page.language_code }}">
<head><title>{{ page.title }}</title><meta name="description" content="{{ page.description }}"></head>
<body>
<h1>{{ page.title }}</h1>
{% for line in page.template_data.body.split("\\n") %}{% if line %}<p>{{ line }}</p>{% endif %}
{% endfor %}</body>
</html>
`;
const PER_FOLDER = 200;
const SECTION = 100;
const MOMENT = "2026-01-01T00:00:00.000Z";
const RESTING_MS = 500;
const RESTING_MAX_MS = 30_000;
const ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export const fileOf = (id) => `content/pages/${Math.floor(id / PER_FOLDER)}/p${id}.yaml`;

/** Every hundredth page is a root, the others are its children; the first page is in the main menu. */
const parentOf = (id) => (id % SECTION === 1 ? null : id - ((id - 1) % SECTION));

export const permalinkOf = (id) => (parentOf(id) === null ? `/p${id}` : `/p${parentOf(id)}/p${id}`);

const paragraph = (id, salt) => `${"harbour lantern tide keeper rope gull ferry storm ".repeat(7)}${id}.${salt}`;

/** Six paragraphs as lines of YAML. */
export const bodyOf = (id, indent) =>
  Array.from({ length: 6 }, (_, salt) => `${indent}${paragraph(id, salt)}\n`).join("\n");

export function pageText(id, title = `Page ${id}`) {
  const text = (lang) => {
    const body = bodyOf(id, "        ");
    return (
      `  ${lang}:\n    title: ${title} ${lang}\n    permalink: ${permalinkOf(id)}\n    autopermalink: false\n` +
      `    published_at: ${MOMENT}\n    description: ${paragraph(id, 9)}\n    template_data:\n      body: |\n${body}`
    );
  };
  const parent = parentOf(id) === null ? "" : `parent_page: ${parentOf(id)}\n`;
  return (
    `id: ${id}\nidentifier: p${id}\n${parent}ordering: ${id}\ndate_created: ${MOMENT}\ndate_updated_at: ${MOMENT}\n` +
    `translations:\n${text("en")}${text("it")}`
  );
}

/** @param dir an empty folder; gets a repository with one commit */
export function makeSite(dir, pages) {
  mkdirSync(join(dir, "templates/defaults/pages"), { recursive: true });
  writeFileSync(join(dir, "templates", TEMPLATE), TEMPLATE_TEXT);
  writeFileSync(join(dir, "cms.config.yaml"), "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\n");
  for (let folder = 0; folder <= pages / PER_FOLDER; folder++)
    mkdirSync(join(dir, `content/pages/${folder}`), { recursive: true });
  for (let id = 1; id <= pages; id++) writeFileSync(join(dir, fileOf(id)), pageText(id));
  mkdirSync(join(dir, "content/menus"), { recursive: true });
  writeFileSync(join(dir, "content/menus/main.yaml"), menuText("Start"));
  git(dir, "init", "-q", "-b", "main");
  git(dir, "config", "gc.auto", "0");
  git(dir, "config", "user.name", "Bench");
  git(dir, "config", "user.email", "bench@example.org");
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "Content");
}

export const menuText = (title) => {
  const nodes = `    nodes:\n      - { title: ${title}, link: { link_type: RE, url_node: 1 } }\n`;
  return `id: 900001\nkey: main\nenabled: true\ntranslations:\n  en:\n${nodes}  it:\n${nodes}`;
};

export const git = (dir, ...args) => execFileSync("git", ["-C", dir, ...args], { env: ENV, encoding: "utf8" });

/** The server of a site, ready to answer. `close` stops it and waits for its end. */
export async function serve(dir, ...flags) {
  const child = spawn(process.execPath, [CLI, "serve", "--root", dir, "--port", "0", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: ENV,
  });
  let output = "";
  const origin = await new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (url) resolve(url[0]);
    });
    child.once("exit", () => reject(new Error(`The server ended: ${output}`)));
  });
  const client = openClient(origin);
  return {
    pid: child.pid,
    origin,
    ask: client.ask,
    async close() {
      client.close();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Requests with kept connections. */
export function openClient(origin) {
  const agent = new Agent({ keepAlive: true });
  return {
    /** @returns status, headers and the body as text */
    ask: (method, path, body, headers = {}) => ask(agent, method, origin + path, body, headers),
    close: () => agent.destroy(),
  };
}

function ask(agent, method, url, body, headers) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const head =
    text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, agent, headers: { ...head, ...headers } }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    // The server may close a kept connection just as it is used again.
    const retry = () => resolve(ask(agent, method, url, body, headers));
    req.on("error", (error) => (req.reusedSocket && error.code === "ECONNRESET" ? retry() : reject(error)));
    req.end(text);
  });
}

/** Processor time of the main thread of a process so far; NaN where the system does not tell. */
export function processorMs({ pid }) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/**
 * Waits until the main thread of a process rests: after a start it writes its cache and collects what it has parsed, which
 * is no part of what is measured next.
 */
export async function resting(server) {
  const end = performance.now() + RESTING_MAX_MS;
  for (let before = processorMs(server); performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, RESTING_MS));
    const now = processorMs(server);
    if (!(now - before > RESTING_MS / 20)) return;
    before = now;
  }
}

/** Longest stall since it was last asked, in milliseconds; undefined where the server does not tell. */
export async function stall(server) {
  const { status, text } = await server.ask("GET", "/metrics");
  const found = status === 200 && /^cms_event_loop_stall_max_seconds ([\d.e+-]+)$/m.exec(text);
  return found ? Number(found[1]) * 1000 : undefined;
}

/** The header of an administrator's token. */
export function administrator(dir) {
  execFileSync(process.execPath, [CLI, "user", "add", "bench", "--staff", "--superuser", "--root", dir, "--quiet"], {
    input: "a-long-password-of-the-bench\n",
    env: ENV,
  });
  const token = execFileSync(process.execPath, [CLI, "token", "bench", "--root", dir], { encoding: "utf8", env: ENV });
  return { authorization: `Token ${token.trim()}` };
}
