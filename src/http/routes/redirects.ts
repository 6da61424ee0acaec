/** The redirects of `content/redirects.yaml`: listed, added and removed one by one. */
import { addRedirect, removeRedirect } from "../../actions/records/redirects.ts";
import { invalid } from "../../errors.ts";
import { REQUIRED } from "../../model/input/input-errors.ts";
import { findLang } from "../../model/language/locale.ts";
import { listOf, ref, TEXT } from "../../schema/json-schema.ts";
import type { Redirect } from "../../store/records/redirects.ts";
import { redirects } from "../../store/content/indexes/redirects.ts";
import { json, noContent, type Reply } from "../request/reply.ts";
import { del, get, post, type Access, type Call, type Route } from "../app/route.ts";

/** A redirect takes an address from a page, as changing the page does. */
const EDITORS: Access = { staff: true, any: ["cms.change_page"] };

export const redirectRoutes: readonly Route[] = [
  get("redirects", "user", (call) => json(redirects(call.view("editor").content).map(payload)), {
    summary: "List the configured redirects",
    answer: listOf(ref("ConfiguredRedirect")),
  }),
  post("redirects", EDITORS, add, {
    summary: "Add a redirect",
    description: "Former addresses of pages redirect by themselves; this is for addresses that never were pages.",
    body: "NewRedirect",
    answer: "ConfiguredRedirect",
    status: 201,
  }),
  del("redirects", EDITORS, remove, {
    summary: "Remove a redirect",
    query: [
      { name: "from", description: "The address that redirects.", schema: TEXT, isRequired: true },
      { name: "source_language", description: "Its language; the default one without it.", schema: TEXT },
    ],
    refusals: [400, 404],
  }),
];

async function add(call: Call): Promise<Reply> {
  const { value } = await addRedirect(call.ctx, call.author(), await call.body());
  return json(payload(value), 201);
}

async function remove(call: Call): Promise<Reply> {
  const { searchParams } = call.url;
  const from = searchParams.get("from") ?? "";
  if (from === "") throw invalid({ from: [REQUIRED] });
  const named = searchParams.get("source_language");
  const lang = named === null ? undefined : findLang(call.ctx.locales, named);
  if (named !== null && lang === undefined) throw invalid({ source_language: [`There is no language "${named}".`] });
  await removeRedirect(call.ctx, call.author(), from, lang);
  return noContent();
}

const payload = ({ from, to, status, language }: Redirect) => ({ from, to, status, language: language ?? null });
