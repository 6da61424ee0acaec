/** Names what a text says, for states that the next build compares. */
import { hash } from "node:crypto";

export const sha1 = (text: string): string => hash("sha1", text, "base64url");
