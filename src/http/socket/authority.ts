/** Hosts with an optional port, as in a Host header (RFC 3986, 3.2.2). */
import { isIPv4, isIPv6 } from "node:net";

const LABEL = /^[a-z0-9_-]{1,63}$/i;
const NUMBER = /^(\d+|0x[0-9a-f]*)$/i;
const PORT_MAX = 65_535;

/**
 * Whether a text is a valid host: a name, an IPv4 address, or an IPv6 address in brackets.
 *
 * Invariant: `new URL` accepts the host and keeps it unchanged. It would throw for `999.999.999.999`, `08` and `xn--a`,
 * and read `0x7f.1` as 127.0.0.1.
 */
export function isAuthority(text: string): boolean {
  if (text === lastValid) return true;
  const isValid = isHostAndPort(text);
  if (isValid) lastValid = text;
  return isValid;
}

/**
 * Whether a valid host is an address or `localhost`. Any other name may have been made to lead to this machine by whoever owns
 * it (DNS rebinding), or be the public one, which a proxy passes on.
 */
export function isAddressOrLocalhost(authority: string): boolean {
  const host = authority.startsWith("[") ? authority : (authority.split(":", 1)[0] ?? "");
  return host.startsWith("[") || isIPv4(host) || /^(?:.+\.)?localhost\.?$/i.test(host);
}

/** Most sites have one name, which is checked twice for each request. */
let lastValid: string | undefined;

function isHostAndPort(text: string): boolean {
  if (text.length > 262) return false;
  const hostEnd = text.startsWith("[") ? text.indexOf("]") + 1 : text.indexOf(":");
  const host = hostEnd < 0 ? text : text.slice(0, hostEnd);
  const rest = text.slice(host.length);
  if (rest !== "" && !(/^:\d{1,5}$/.test(rest) && Number(rest.slice(1)) <= PORT_MAX)) return false;
  // Of names like these, `new URL` refuses only invalid Punycode.
  return isHost(host) && (!/xn--/i.test(host) || URL.canParse(`http://${text}/`));
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return /^\[[0-9a-f:.]{2,45}\]$/i.test(host) && isIPv6(host.slice(1, -1));
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".");
  // URL parsers read a name that ends in a number as an IPv4 address.
  if (NUMBER.test(labels.at(-1) ?? "")) return isIPv4(host);
  return host.length <= 253 && labels.every((label) => LABEL.test(label));
}
