/** Preview links: made, listed and revoked by staff. `other-content.ts` opens what they lead to. */
import { addPreviewLink, listPreviewLinks, revokePreviewLink, tokenOfLink } from "../../../actions/preview-links.ts";
import { CmsError, invalid } from "../../../errors.ts";
import { noSuchTarget } from "../../../model/input/input-errors.ts";
import { showInstant } from "../../../model/time/instant.ts";
import { isPublic } from "../../../model/page/lifecycle.ts";
import { nameOf } from "../../../model/page/page.ts";
import { LINK_CONTEXTS, readPreviewLink, type PreviewLink } from "../../../model/page/preview-link.ts";
import { FLAG, listOf, ref } from "../../../schema/json-schema.ts";
import { findPage } from "../../../store/content/indexes/pages-by-model.ts";
import { findRelease } from "../../../store/content/indexes/releases.ts";
import { RELEASES } from "../../../store/records/releases.ts";
import { routerlink } from "../../../views/view.ts";
import { openSite } from "../../public/other-content.ts";
import { LINK_PARAMETER } from "../../public/preview-link-access.ts";
import { json, noContent, type Reply } from "../../request/reply.ts";
import { del, get, post, requireUser, type Access, type Call, type Route } from "../../app/route.ts";

const STAFF: Access = { staff: true };

export const previewLinkRoutes: readonly Route[] = [
  get("preview-links", STAFF, list, {
    summary: "List the preview links that hold",
    query: [{ name: "own", description: "Whether only those of the caller are listed.", schema: FLAG }],
    answer: listOf(ref("PreviewLink")),
  }),
  post("preview-links", STAFF, add, {
    summary: "Make a preview link",
    description:
      "An address that shows the page without an account until a moment, and from there the rest of the public site in the same state. " +
      "It ends with the rights of the account that made it.",
    body: "NewPreviewLink",
    answer: "PreviewLink",
    status: 201,
    isLocalized: true,
    refusals: [404, 409],
  }),
  del("preview-links/:link", STAFF, remove, { summary: "Revoke a preview link", refusals: [404] }),
];

async function list(call: Call): Promise<Reply> {
  const { id } = requireUser(call);
  if (isNarrowed(call)) return json([]);
  const isOwn = call.url.searchParams.has("own");
  const links = (await listPreviewLinks(call.ctx)).filter(({ account }) => !isOwn || account === id);
  return json(await Promise.all(links.map((link) => payload(call, link))));
}

async function add(call: Call): Promise<Reply> {
  const { ctx, lang } = call;
  if (isNarrowed(call))
    throw new CmsError("forbidden", "An account that does not see all content makes no preview links.");
  const asked = readPreviewLink(await call.body(), call.now, ctx.unknownFields);
  const site = await openSite(ctx, asked.context, asked.value);
  const page = findPage(site.store.current, asked.page);
  if (!page) throw invalid({ page: [noSuchTarget(asked.page)] });
  if (!isPublic(page, lang, site.env.now()))
    throw invalid({ page: [`The page is not public there in ${lang}: the link would show nothing.`] });
  const view = { ...call.view("public"), content: site.store.current, locales: site.locales, config: site.config };
  const path = routerlink(view, page, lang);
  if (path === null) throw invalid({ page: ["The page has no address there."] });
  const value =
    asked.context === "release" ? String(findRelease(ctx.store.current, asked.value)?.id ?? "") : asked.value;
  const { context, expires_at } = asked;
  const link = { page: page.id, language: lang, path, context, value, expires_at };
  return json(await payload(call, await addPreviewLink(ctx, requireUser(call), link)), 201);
}

/** A link shows the whole site in a state, to anyone, and the list has the address of each. */
const isNarrowed = ({ ctx }: Call): boolean => ctx.store.narrowing?.seen() !== undefined;

async function remove(call: Call): Promise<Reply> {
  await revokePreviewLink(call.ctx.accounts, requireUser(call), call.params.link ?? "");
  return noContent();
}

/** With its address, which staff may read again: it is derived, not stored. */
async function payload(call: Call, link: PreviewLink) {
  const { ctx } = call;
  const { current } = ctx.store;
  const page = findPage(current, link.page);
  const maker = await ctx.accounts.store.find(link.account);
  const release = link.context === "release" ? current.find(RELEASES, Number(link.value))?.name : undefined;
  const value = link.context === "release" ? (release ?? null) : link.value;
  const token = await tokenOfLink(ctx.accounts, link);
  return {
    id: link.id,
    url: `${call.origin}${link.path}?${LINK_PARAMETER}=${token}`,
    page: link.page,
    language: link.language,
    title: page ? nameOf(page, ctx.locales) : null,
    ...Object.fromEntries(LINK_CONTEXTS.map((name) => [name, name === link.context ? value : null])),
    expires_at: showInstant(link.expires_at),
    created_at: showInstant(link.created_at),
    created_by: maker?.username ?? null,
  };
}
