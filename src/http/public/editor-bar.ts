/**
 * The bar on pages of the site for an account with a session that may edit: it leads to the page in the editor, and says
 * whether a draft is pending.
 *
 * It is added to the answer to that account alone, which no cache may store; what is made for visitors, cached or built is
 * never touched. It has no script, and its style applies to nothing else, since it is in a shadow root.
 */
import { createHash } from "node:crypto";
import { accountBySession } from "../../actions/accounts/sessions.ts";
import { hasPermission } from "../../model/account/permission.ts";
import type { Account } from "../../model/account/account.ts";
import { may, withRights } from "../../model/access/role-rights.ts";
import { API_ROOT } from "../../model/address/possible-names.ts";
import type { Page } from "../../model/page/page.ts";
import { resolveRoute } from "../../views/page/route.ts";
import { kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { isJudged } from "../../store/access/judged-store.ts";
import { accessContentOf, accessTargetsOf } from "../../store/access/targets.ts";
import { ARTICLES } from "../../store/records/pages.ts";
import type { AdminFiles } from "../routes/admin.ts";
import { cookieOf } from "../request/cookies.ts";
import { publicView } from "../app/call.ts";
import { markup } from "../openapi/markup.ts";
import { beforeBodyEnd } from "./body-end.ts";
import { SESSION_COOKIE } from "../request/principal.ts";
import { html, PRIVATE, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

const TEXTS = {
  en: {
    bar: "Editor",
    edit: "Edit this page",
    live: "Live",
    draft: "Pending draft",
    problems: "Problems of the site: ",
  },
  it: {
    bar: "Editor",
    edit: "Modifica questa pagina",
    live: "Online",
    draft: "Bozza in attesa",
    problems: "Problemi del sito: ",
  },
} as const;

/**
 * @param path decoded
 * @param reply of the site to any visitor; returned unchanged to everybody who may not edit the page
 */
export function withEditorBar(call: Call, path: string, reply: Reply, admin: AdminFiles): Reply | Promise<Reply> {
  const { body, headers, status } = reply;
  if (status !== 200 || typeof body !== "string" || !headers["content-type"]?.startsWith("text/html")) return reply;
  const session = cookieOf(call.headers, SESSION_COOKIE);
  const { barStyle } = admin;
  if (session === undefined || barStyle === undefined) return reply;
  return accountBySession(call.ctx.accounts, session).then((account) => {
    const route = resolveRoute(publicView(call), path);
    if (!account || route.kind !== "page" || !mayEdit(call, account, route.page)) return reply;
    const { etag: _, ...kept } = headers;
    return {
      ...reply,
      body: beforeBodyEnd(body, barOf(call, route.page, route.lang, barStyle)),
      headers: { ...kept, ...PRIVATE, vary: "Cookie, Accept-Language" },
    };
  });
}

/**
 * The bar as a page of its own, which front ends of `PREVIEW.SITES` may have in a frame; empty for everybody who may not edit the
 * page at their path. Its links leave the frame, and its script tells its size to those front ends alone.
 */
export async function framedBar(call: Call, { barStyle }: AdminFiles): Promise<Reply> {
  const { accounts, config } = call.ctx;
  const session = cookieOf(call.headers, SESSION_COOKIE);
  const account = session === undefined ? undefined : await accountBySession(accounts, session);
  const route = resolveRoute(publicView(call), call.url.searchParams.get("path") ?? "");
  const isShown = account && barStyle !== undefined && route.kind === "page" && mayEdit(call, account, route.page);
  const origins = [...new Set(config.PREVIEW.SITES.map(({ URL: origin }) => origin))];
  const script = `addEventListener("load", () => {
  const bar = document.querySelector("git-cms-bar").shadowRoot.querySelector("nav");
  bar.style.cssText = "left: 12px; transform: none; white-space: nowrap";
  const { width, height } = bar.getBoundingClientRect();
  for (const origin of ${JSON.stringify(origins)})
    parent.postMessage({ type: "cms:bar", width: Math.ceil(width) + 25, height: Math.ceil(height) + 24 }, origin);
});`;
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; style-src 'self'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors ${origins.join(" ") || "'none'"}`;
  const bar = isShown ? `${barOf(call, route.page, route.lang, barStyle)}<script>${script}</script>` : "";
  const targeted = bar.replaceAll("<a ", '<a target="_top" ');
  return html(`<!doctype html><meta charset="utf-8"><title>Editor</title>${targeted}`, 200, {
    ...PRIVATE,
    "content-security-policy": policy,
    vary: "Cookie, Accept-Language",
  });
}

const isArticle = (page: Page): boolean => kindOf(page) === ARTICLES;

function mayEdit({ ctx: { live } }: Call, account: Account, page: Page): boolean {
  const content = accessContentOf(live.store.current, live.locales);
  const user = withRights(account, content.roles);
  const key = isArticle(page) ? "cms.change_article" : "cms.change_page";
  if (!user.is_staff || !hasPermission(user, key)) return false;
  const targets = accessTargetsOf(live.store.current, kindOf(page), page);
  return !isJudged(account) || targets.every((target) => may(account, "view", target, content).isAllowed);
}

function barOf(call: Call, page: Page, lang: string, style: string): string {
  const { BASE_PATH: base, ADMIN } = call.ctx.config;
  const told = TEXTS[/^\s*it\b/i.test(call.headers.get("accept-language") ?? "") ? "it" : "en"];
  const problems = call.ctx.store.current.problems.length;
  const code = encodeURIComponent(lang);
  const collection = isArticle(page) ? "articles" : "pages";
  return markup`<git-cms-bar><template shadowrootmode="open"><link rel="stylesheet" href="${style}"><nav aria-label="${told.bar}">
<a href="${base}${ADMIN.PATH}${collection}/${page.id}?lang=${code}">${told.edit}</a>
${
  page.drafts[lang]
    ? markup`<a href="${base}${API_ROOT}/${collection}/${page.id}/render/?language=${code}">${told.draft}</a>`
    : markup`<span>${told.live}</span>`
}
${problems > 0 && markup`<span class="wrong">${told.problems}${problems}</span>`}
</nav></template></git-cms-bar>`.html;
}
