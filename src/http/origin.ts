/** Where a request came from and which host it meant, with proxies believed only when the settings name them. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { Config } from "../config.ts";

/** Scheme and host in front of absolute URLs: `BASE_URL`, else what the request says (decisions.md 19). */
export function originOf(config: Config, headers: Headers, url: URL, peer: string): string {
  if (config.BASE_URL) return config.BASE_URL;
  const trusted = isTrusted(config, peer);
  const scheme = (trusted && headers.get("x-forwarded-proto")?.split(",")[0]?.trim()) || url.protocol.replace(":", "");
  const host = (trusted && headers.get("x-forwarded-host")?.split(",")[0]?.trim()) || headers.get("host") || url.host;
  const safe = /^[A-Za-z0-9.\-:[\]_]{1,255}$/.test(host) ? host : url.host;
  return `${scheme === "https" ? "https" : "http"}://${safe}`;
}

/** The client's address: the peer's, or the last one a trusted proxy has not vouched for itself. */
export function addressOf(config: Config, headers: Headers, peer: string): string {
  if (!isTrusted(config, peer)) return peer;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim()).filter(Boolean);
  return hops.reverse().find((hop) => !isTrusted(config, hop)) ?? peer;
}

function isTrusted(config: Config, address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  if (config.TRUSTED_PROXIES.length === 0 || (!isIPv4(plain) && !isIPv6(plain))) return false;
  const list = new BlockList();
  for (const entry of config.TRUSTED_PROXIES) {
    const [net = "", bits] = entry.split("/");
    const family = isIPv6(net) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}
