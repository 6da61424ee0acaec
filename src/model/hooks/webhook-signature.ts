/**
 * Signatures of webhooks: of those the service sends, and of those that forges send it.
 *
 * | Forge          | Header                                       | Signed with HMAC-SHA256                             |
 * |----------------|----------------------------------------------|-----------------------------------------------------|
 * | GitHub         | `X-Hub-Signature-256: sha256=<hex>`          | the body as it was sent                             |
 * | Gitea, Forgejo | `X-Gitea-Signature`, `X-Forgejo-Signature`   | the JSON, which in a form is its field `payload`    |
 * | GitLab         | `webhook-signature: v1,<base64>`             | id, timestamp and body (standardwebhooks.com)       |
 * | GitLab         | `X-Gitlab-Token`                             | nothing: it is the secret itself                    |
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";

type Bytes = string | Uint8Array;

/** `sha256=` and the HMAC-SHA256 in hexadecimal digits. */
export const webhookSignature = (body: Bytes, secret: string): string => `sha256=${hmac(body, secret).toString("hex")}`;

export interface ReceivedWebhook {
  readonly headers: { get(name: string): string | null };
  /** As it was sent: parsed and printed again it has another signature. */
  readonly body: Uint8Array;
}

const SIGNATURE_HEADERS = [
  "x-hub-signature-256",
  "x-gitea-signature",
  "x-forgejo-signature",
  "x-gitlab-token",
  "webhook-signature",
];

/** Whether a request has a header of these schemes, whatever its value. */
export const hasWebhookSignature = ({ headers }: Pick<ReceivedWebhook, "headers">): boolean =>
  SIGNATURE_HEADERS.some((name) => headers.get(name) !== null);

/** In milliseconds: a signature with a timestamp that differs by more is taken for a replayed one. */
const TIMESTAMP_TOLERANCE = 5 * 60_000;

/**
 * Whether a webhook is signed with the secret, by any of these schemes.
 *
 * Takes the same time wherever a signature differs.
 *
 * @param secret not empty. For GitLab's signatures it begins with `whsec_`, as GitLab makes them.
 */
export function isSignedWebhook({ headers, body }: ReceivedWebhook, secret: string, nowMs: number): boolean {
  const signed = [body, ...payloadOfForm(headers, body)];
  const hexadecimal = [
    headers.get("x-hub-signature-256")?.replace(/^sha256=/, ""),
    headers.get("x-gitea-signature"),
    headers.get("x-forgejo-signature"),
  ];
  const hasSigned = hexadecimal.some(
    (found) => found != null && signed.some((bytes) => isEqual(Buffer.from(found, "hex"), hmac(bytes, secret))),
  );
  const token = headers.get("x-gitlab-token");
  return hasSigned || isSignedByGitLab(headers, body, secret, nowMs) || (token !== null && isSameText(token, secret));
}

function isSignedByGitLab(
  headers: ReceivedWebhook["headers"],
  body: Uint8Array,
  secret: string,
  nowMs: number,
): boolean {
  const [id, seconds, signatures] = ["id", "timestamp", "signature"].map((name) => headers.get(`webhook-${name}`));
  if (id == null || seconds == null || signatures == null || !/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(Number(seconds) * 1000 - nowMs) > TIMESTAMP_TOLERANCE || !secret.startsWith("whsec_")) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  if (key.length === 0) return false;
  const expected = hmac(Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]), key);
  // Several while its sender changes the secret.
  return signatures
    .split(" ")
    .some((each) => each.startsWith("v1,") && isEqual(Buffer.from(each.slice("v1,".length), "base64"), expected));
}

/** The field `payload` of a form; nothing for other bodies, or where the form has several. */
function payloadOfForm(headers: ReceivedWebhook["headers"], body: Uint8Array): string[] {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return [];
  // Only this field is decoded: decoding a million others would block all other requests.
  const [, payload, another] = `&${Buffer.from(body).toString("utf8")}`.split("&payload=", 3);
  if (payload === undefined || another !== undefined) return [];
  try {
    // For a million plus signs `URLSearchParams` takes a third of a second, and `replaceAll` a fifth of that.
    const [encoded = ""] = payload.split("&", 1);
    return [decodeURIComponent(encoded.split("+").join(" "))];
  } catch {
    return []; // not percent-encoded UTF-8
  }
}

const hmac = (body: Bytes, key: Bytes): Buffer => createHmac("sha256", key).update(body).digest();

const isEqual = (found: Buffer, expected: Buffer): boolean =>
  found.length === expected.length && timingSafeEqual(found, expected);

/** Compares digests, since the time must not tell the length of the secret either. */
const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
