/** Names what a text says, for states that the next build compares. */
import { createHash } from "node:crypto";

export const sha1 = (text: string): string => createHash("sha1").update(text).digest("base64url");
