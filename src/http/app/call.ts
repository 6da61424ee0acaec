/**
 * The request in the form that handlers get. Language, origin and address are computed on first use, since answers from
 * the cache need none of them.
 */
import { CmsError } from "../../errors.ts";
import { displayName } from "../../model/account/account.ts";
import type { SiteContext } from "../../library/context.ts";
import type { Account } from "../../model/account/account.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import { parseId } from "../../model/input/id.ts";
import { readBody } from "../body/body.ts";
import type { Author } from "../../store/write/store.ts";
import type { Surface } from "../../views/view.ts";
import { activeLang } from "../request/language.ts";
import { addressOf, originOf } from "../request/origin.ts";
import type { AppRequest } from "../request/request.ts";
import { requireUser, type Call } from "./route.ts";

/** The results of routing and authentication. */
interface CallInput extends Pick<Call, "params" | "user" | "session" | "lenient"> {
  /** See `Call.confirm`. @returns the account as it is now */
  readonly confirm?: () => Promise<Account | undefined>;
}

export const openCall = (ctx: SiteContext, request: AppRequest, input: CallInput): Call =>
  new OpenCall(lenientIf(input.lenient, ctx), request, input);

/** A view of public content, as caches need it: of the newest snapshot, in the main language until the path says another. */
export function publicView(call: Call) {
  const content = call.ctx.store.current;
  return { ...call.view("public", { content, lang: call.ctx.locales.default }), content };
}

/** Clients of the upstream system send keys of their own, and name templates of the front end that they are. */
const lenientIf = (lenient: boolean, ctx: SiteContext): SiteContext =>
  lenient ? { ...ctx, unknownFields: "ignore", hasTemplate: () => true } : ctx;

/**
 * A class, because V8 creates a hidden class for every object literal with getters: 2 kB of long-lived memory a
 * request.
 */
class OpenCall implements Call {
  readonly ctx: SiteContext;
  readonly params: CallInput["params"];
  readonly lenient: boolean;
  user: CallInput["user"];
  readonly session: CallInput["session"];
  readonly #request: AppRequest;
  readonly #confirm: CallInput["confirm"];
  #now: Instant | undefined;
  #lang: Lang | undefined;
  #origin: string | undefined;
  #body: Promise<unknown> | undefined;
  #permit: Author["permit"];

  constructor(ctx: SiteContext, request: AppRequest, { params, user, session, lenient, confirm }: CallInput) {
    this.ctx = ctx;
    this.params = params;
    this.lenient = lenient;
    this.user = user;
    this.session = session;
    this.#confirm = confirm;
    this.#request = request;
  }

  get method() {
    return this.#request.method;
  }

  get url() {
    return this.#request.url;
  }

  get headers() {
    return this.#request.headers;
  }

  get web() {
    return this.#request.web;
  }

  get peer() {
    return this.#request.peer;
  }

  get now() {
    return (this.#now ??= this.ctx.env.now());
  }

  get lang() {
    return (this.#lang ??= activeLang(this.ctx.locales, this.url.searchParams, this.headers));
  }

  get origin() {
    return (this.#origin ??= originOf(this.ctx.config, this.#request));
  }

  get address() {
    return addressOf(this.ctx.config, this.#request);
  }

  body(maxBytes = Infinity) {
    return (this.#body ??= this.#readBody(maxBytes));
  }

  async #readBody(maxBytes: number) {
    const { config } = this.ctx;
    const body = await readBody(this.web, Math.min(maxBytes, config.API.MAX_BODY), config);
    await this.confirm();
    return body;
  }

  async confirm() {
    if (this.#confirm) this.user = await this.#confirm();
  }

  view(surface: Surface, { lang = this.lang, content = this.ctx.store.current }: Parameters<Call["view"]>[1] = {}) {
    const { config, locales } = this.ctx;
    return { content, config, locales, lang, now: this.now, surface, origin: this.origin };
  }

  restrict(permit: Author["permit"]) {
    this.#permit = permit;
  }

  author(expects?: Author["expects"]) {
    const user = requireUser(this);
    const name = displayName(user);
    const email = user.email || `${user.username}@cms.invalid`;
    return { name, email, ...(expects && { expects }), ...(this.#permit && { permit: this.#permit }) };
  }

  id() {
    const id = parseId(this.params.id ?? "");
    if (id === undefined) throw new CmsError("not_found", "Not found.");
    return id;
  }
}
