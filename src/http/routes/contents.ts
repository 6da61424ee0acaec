/** Content blocks, and the endpoints for editing them in place. */
import { REQUIRED, NOT_A_STRING } from "../../model/input/input-errors.ts";
import { editContent, getOrCreateContent } from "../../actions/records/contents.ts";
import { invalid } from "../../errors.ts";
import { CONTENT_SPEC } from "../../library/structure.ts";
import { contentIn, type Content } from "../../model/records/content.ts";
import { CONTENTS } from "../../store/records/contents.ts";
import { contentVersions } from "../../store/revisions/content-history.ts";
import { ID, record, TEXT } from "../../schema/json-schema.ts";
import { actionBody, authorOf, permitted, resource } from "../app/resource.ts";
import { json, type Reply } from "../request/reply.ts";
import { get, patch, post, type Call, type Route } from "../app/route.ts";

const access = permitted("content");

export const contentRoutes: readonly Route[] = [
  ...resource({
    ...CONTENT_SPEC,
    path: "contents",
    access,
    schemas: {
      one: "a content block",
      many: "content blocks",
      payload: "Content",
      input: "NewContent",
      change: "ContentInput",
    },
  }),
  post("contents/get-or-create", access.add, getOrCreate, {
    summary: "Find a content block, or create it",
    body: "NewContent",
    answer: record({ id: ID, content: TEXT }),
    isLocalized: true,
  }),
  get("contents/:id/djsuperadmin", "user", readInline, {
    summary: "Read the text of a content block",
    answer: "ContentText",
    isLocalized: true,
  }),
  patch("contents/:id/djsuperadmin", access.change, editInline, {
    summary: "Change the text of a content block",
    body: "ContentText",
    answer: "ContentText",
    isLocalized: true,
    isConditional: true,
  }),
  get("contents/:id/djsuperadmin/history", "user", history, {
    summary: "List former texts of a content block",
    answer: "ContentVersions",
  }),
];

async function getOrCreate(call: Call): Promise<Reply> {
  const { value: block } = await getOrCreateContent(call.ctx, call.author(), await call.body(), call.lang);
  return json({ id: block.id, content: shown(call, block) });
}

function readInline(call: Call): Reply {
  return json({ content: shown(call, call.ctx.store.current.get(CONTENTS, call.id())) });
}

async function editInline(call: Call): Promise<Reply> {
  const { content } = await actionBody(call, "content");
  if (content === undefined) throw invalid({ content: [REQUIRED] });
  if (typeof content !== "string" || !content.isWellFormed()) throw invalid({ content: [NOT_A_STRING] });
  const id = call.id();
  const { value: block } = await editContent(call.ctx, authorOf(call, CONTENTS, id), id, call.lang, content);
  return json({ content: shown(call, block) });
}

/** Former values, newest first, at most 20: what each commit replaced. */
async function history(call: Call): Promise<Reply> {
  const { store, history: past, locales } = call.ctx;
  const { id } = store.current.get(CONTENTS, call.id());
  const versions = await contentVersions(store, past, id, locales);
  return json({ versions: versions.map(({ at, data }) => ({ created_at: at.replace(/(\.\d+)?Z$/, "+00:00"), data })) });
}

const shown = (call: Call, block: Content): string => contentIn(block, call.lang, call.ctx.locales.default);
