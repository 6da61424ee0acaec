/** Requests with the signature of a webhook in place of an account (model/hooks/webhook-signature.ts). */
import { CmsError } from "../../errors.ts";
import type { SiteContext } from "../../library/context.ts";
import { msOf } from "../../model/time/instant.ts";
import { hasWebhookSignature, isSignedWebhook } from "../../model/hooks/webhook-signature.ts";
import { readBytes } from "../body/body.ts";
import type { AppRequest } from "./request.ts";
import type { Webhook } from "../app/route.ts";

/** In bytes. The signature of a body is computed at once, and larger ones would block all other requests too long. */
const BODY_MAX = 1024 * 1024;

/**
 * Whether a request of a caller without an account is a signed webhook.
 *
 * @returns false where webhooks are not accepted, or the request has no signature: the access rule decides
 * @throws CmsError `forbidden` for a wrong signature, `too_large`
 */
export async function isWebhookCall(webhook: Webhook, ctx: SiteContext, request: AppRequest): Promise<boolean> {
  const { headers } = request;
  const secret = webhook.secret(ctx);
  if (secret === undefined || !hasWebhookSignature({ headers })) return false;
  const body = await readBytes(request.web, Math.min(BODY_MAX, ctx.config.API.MAX_BODY));
  if (isSignedWebhook({ headers, body }, secret, msOf(ctx.env.now()))) return true;
  throw new CmsError("forbidden", "The signature of the webhook is not valid.");
}
