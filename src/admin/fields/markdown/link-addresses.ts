/** The addresses that were meant by what was typed for a link. */
import { hasDangerousScheme } from "../../../model/address/schemes.ts";
import type { LinkAddress } from "./markdown-format.ts";
import type { TextHeading } from "./written-form.ts";

/**
 * @param typed such as `example.com/a`, `ada@example.com`, `+39 06 1234567`, `/about` or words of a heading of the text
 * @param headings of the text
 */
export function addressesOf(typed: string, headings: readonly TextHeading[]): LinkAddress[] {
  const text = typed.trim();
  const address = addressOf(text);
  const words = text.replace(/^#/, "").toLowerCase();
  const places = headings.filter(({ text: heading, id }) => id !== "" && heading.toLowerCase().includes(words));
  return [
    ...(address === undefined ? [] : [{ address, name: text }]),
    ...places.map(({ text: name, id }) => ({ address: `#${id}`, name })),
  ];
}

function addressOf(text: string): string | undefined {
  if (text === "" || hasDangerousScheme(text)) return undefined;
  if (/^[^\s@:]+@[^\s@]+\.[^\s@.]+$/.test(text)) return `mailto:${text}`;
  if (/^\+?[\d ()/.-]{6,30}$/.test(text)) return `tel:${text.replaceAll(/[^+\d]/g, "")}`;
  if (/\s/.test(text)) return undefined;
  if (/^(?:\/|#.|[a-z][a-z\d+.-]*:.)/i.test(text)) return text;
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:[:/?#]|$)/u.test(text) ? `https://${text}` : undefined;
}
