/** Editors: each owns pages of its own, and all of them share a menu, a text block and the ballast. */
import { pause, randomOf } from "./random.mjs";
import { allow, settle } from "./ledger.mjs";

const PAGES_MAX = 12;
const ANSWER_MS = 60_000;
/** After this, what the server is doing is printed: a hang leaves no other trace. */
const LATE_MS = 20_000;
const OPERATIONS = {
  patch: 40,
  draft: 15,
  publish: 12,
  create: 8,
  delete: 3,
  schedule: 4,
  sweep: 2,
  menu: 4,
  block: 4,
  article: 3,
  media: 2,
  ballast: 3,
  read: 10,
};

/** A picture of one pixel, so that an upload is cheap and still goes through the encoder. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * @param context `report.refused` counts refusals by status; `ballast` is how many shared pages there are
 * @param count of editors
 * @returns `pause` resolves once no request is in flight
 */
export function openWriters({ url, token, ledger, report, seed, ballast, server }, count) {
  let state = "running";
  let busy = 0;
  const isPaused = () => state !== "running";

  /** @returns the answer; undefined when its outcome is unknown */
  async function ask(method, path, body) {
    const isForm = body instanceof FormData;
    const startedAt = Date.now();
    const late = setTimeout(() => console.error(`  ${method} ${path} is late: ${server.describe()}`), LATE_MS);
    busy++;
    try {
      const response = await fetch(`${url}/api/cms/${path}`, {
        method,
        headers: {
          authorization: `Token ${token}`,
          ...(body !== undefined && !isForm && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      if (response.ok) return { status: response.status, body: text === "" ? null : JSON.parse(text) };
      report.refused[response.status] = (report.refused[response.status] ?? 0) + 1;
      if (response.status >= 500 && response.status !== 503 && response.status !== 507) {
        report.defects.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      }
      return { status: response.status, body: undefined };
    } catch (error) {
      report.cut++;
      if (Date.now() - startedAt >= ANSWER_MS)
        report.stuck.push(`${method} ${path} had no answer in ${ANSWER_MS} ms: ${error}`);
      return undefined;
    } finally {
      clearTimeout(late);
      busy--;
    }
  }

  async function work(name) {
    const random = randomOf(seed, name);
    const own = [];
    let shared = {};

    /** A write of one value to a page of ours. */
    async function write(page, method, path, make) {
      const value = ledger.token(name);
      const answer = await ask(method, path, make(value));
      if (answer?.body !== undefined) {
        ledger.acknowledge(value, `${method} ${path}`);
        settle(page, value);
      } else if (!answer || answer.status >= 500) allow(page, value);
    }

    const operations = {
      async create() {
        const value = ledger.token(name);
        const title = `Soak ${value}`;
        const answer = await ask("POST", "pages/", { title_en: title, description_en: value });
        if (!answer?.body) return;
        ledger.acknowledge(value, "POST pages/");
        ledger.add(answer.body.id, value);
        own.push(answer.body.id);
      },
      async patch(id, page) {
        await write(page, "PATCH", `pages/${id}/`, (value) => ({ description_en: value }));
      },
      async draft(id, page) {
        const value = ledger.token(name);
        const answer = await ask("PATCH", `pages/${id}/draft/?language=en`, { description: value });
        if (answer?.body !== undefined) ledger.acknowledge(value, `PATCH pages/${id}/draft/`);
        page.draft ??= [];
        if (answer && answer.status < 500 && answer.body === undefined) return;
        page.draft.push(value);
        (page.drafted ??= new Set()).add(value);
        // It was merged into the draft that goes live at its moment.
        if (page.isScheduled) allow(page, value);
      },
      async publish(id, page) {
        const drafts = page.draft ?? [];
        const answer = await ask("POST", `pages/${id}/publish/?language=en`, { comment: "Published by the soak" });
        const isMade = answer?.body !== undefined;
        if (isMade) Object.assign(page, { draft: [], isScheduled: false });
        // A draft that was published or discarded comes back with the merge of a branch that still has its file.
        if (isMade && page.drafted?.has(answer.body.description)) settle(page, answer.body.description);
        if (!isMade && answer && answer.status < 500) return;
        for (const value of drafts) allow(page, value);
      },
      async schedule(id, page) {
        const publishAt = new Date(Date.now() + 1_500).toISOString();
        await ask("POST", `pages/${id}/schedule/?language=en`, { publish_at: publishAt });
        // It may go live at any moment from now on.
        page.isScheduled = true;
        for (const value of page.draft ?? []) allow(page, value);
      },
      async sweep() {
        await ask("POST", "pages-router/publish-due");
      },
      async delete(id, page) {
        const answer = await ask("DELETE", `pages/${id}/`);
        if (answer && answer.body === undefined && answer.status < 500) return;
        page.mayBeGone = true;
        if (answer?.body !== undefined) page.mayExist = false;
        own.splice(own.indexOf(id), 1);
      },
      async menu() {
        const value = ledger.token(name);
        const nodes = [{ title: value, link: { link_type: "ST", static: "https://example.org/" } }];
        const answer = await ask("PATCH", `menus/soak/`, { nodes });
        if (answer?.status === 404) await ask("POST", "menus/", { key: "soak", nodes });
        else if (answer?.body !== undefined) ledger.acknowledge(value, "PATCH menus/soak/");
      },
      async block() {
        const value = ledger.token(name);
        if (!shared.block) {
          const made = await ask("POST", "contents/", { identifier: `soak-${name}-${value}`, content: value });
          if (made?.body) shared = { ...shared, block: made.body.id };
          return;
        }
        const answer = await ask("PATCH", `contents/${shared.block}/`, { content: value });
        if (answer?.body !== undefined) ledger.acknowledge(value, `PATCH contents/${shared.block}/`);
        if (answer?.status === 404) shared = {};
      },
      async article() {
        const value = ledger.token(name);
        const answer = await ask("POST", "articles/", { title_en: `Article ${value}`, description_en: value });
        if (answer?.body) ledger.acknowledge(value, "POST articles/");
      },
      async media() {
        const value = ledger.token(name);
        const form = new FormData();
        form.append("file", new Blob([PIXEL], { type: "image/png" }), `${value}.png`);
        form.append("alt_text", value);
        const answer = await ask("POST", "media/", form);
        if (answer?.body) ledger.acknowledge(value, "POST media/");
      },
      async ballast() {
        const value = ledger.token(name);
        const id = 500_000_000 + random.between(0, ballast - 1);
        const answer = await ask("PATCH", `pages/${id}/`, { description_en: value });
        if (answer?.body !== undefined) ledger.acknowledge(value, `PATCH pages/${id}/`);
      },
      async read(id) {
        await ask("GET", `pages/${id}/`);
      },
    };
    const ofPage = new Set(["patch", "draft", "publish", "schedule", "delete", "read"]);

    while (state !== "stopped") {
      if (isPaused()) {
        await pause(20);
        continue;
      }
      const operation = random.weighted(OPERATIONS);
      if (ofPage.has(operation)) {
        const id = own.length > 0 ? random.pick(own) : undefined;
        if (id === undefined) await operations.create();
        // A checkpoint has found it gone.
        else if (!ledger.records.has(id)) own.splice(own.indexOf(id), 1);
        else await operations[operation](id, ledger.records.get(id));
      } else if (operation !== "create" || own.length < PAGES_MAX) await operations[operation]();
      // The server is away now and then: no reason to knock a thousand times a second.
      await pause(random.between(0, 20) + (report.cut > 0 && busy === 0 ? 10 : 0));
    }
  }

  const ended = Promise.all(Array.from({ length: count }, (_, n) => work(`editor${n}`)));
  return {
    async pause() {
      state = "paused";
      while (busy > 0) await pause(10);
    },
    resume: () => (state = "running"),
    async stop() {
      state = "stopped";
      await ended;
    },
    ask,
  };
}
