/** SHA-1 of a text, base64url, for the build state. */
import { hash } from "node:crypto";

export const sha1 = (text: string): string => hash("sha1", text, "base64url");
