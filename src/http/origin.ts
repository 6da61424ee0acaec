/** Where a request came from and which host it meant, with proxies believed only when the settings name them. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { Config } from "../config.ts";
import { CmsError } from "../errors.ts";
import { isAuthority } from "./authority.ts";

/** What of a request tells where it came from and where it was meant to go. */
export interface ConnectionInfo {
  readonly headers: Headers;
  readonly url: URL;
  /** Address of the other end of the connection; "" without one. */
  readonly peer: string;
}

/** Scheme and host in front of absolute URLs: `BASE_URL`, else what the request says (decisions.md 19). */
export const originOf = (config: Config, connection: ConnectionInfo): string =>
  config.BASE_URL ?? requestedOrigin(config, connection);

/**
 * Scheme and host as the browser had them in its address bar.
 *
 * @throws CmsError `invalid` when the host is not one, or not of `ALLOWED_HOSTS` where that is set
 */
export function requestedOrigin(config: Config, connection: ConnectionInfo): string {
  const forwarded = forwardedBy(config, connection);
  const scheme = forwarded("x-forwarded-proto") ?? connection.url.protocol.slice(0, -1);
  return `${scheme === "https" ? "https" : "http"}://${allowedHost(config, connection)}`;
}

/** Host and port of the request. @throws CmsError `invalid` as `requestedOrigin` */
export function allowedHost(config: Config, connection: ConnectionInfo): string {
  const host =
    forwardedBy(config, connection)("x-forwarded-host") ?? connection.headers.get("host") ?? connection.url.host;
  if (!isAuthority(host)) throw wrongHost();
  if (config.ALLOWED_HOSTS.length > 0 && !isAllowed(config.ALLOWED_HOSTS, host)) throw wrongHost();
  return host;
}

/** The client's address: the peer's, or the last one a trusted proxy has not vouched for itself. */
export function addressOf(config: Config, { headers, peer }: ConnectionInfo): string {
  if (!isTrusted(config, peer)) return peer;
  const hops = (headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((connection) => connection.trim())
    .filter(Boolean);
  return hops.reverse().find((connection) => !isTrusted(config, connection)) ?? peer;
}

/** First value of a header of the proxy in front; undefined when there is none, or nobody trusted says so. */
const forwardedBy =
  (config: Config, { headers, peer }: ConnectionInfo) =>
  (name: string): string | undefined =>
    (isTrusted(config, peer) && headers.get(name)?.split(",")[0]?.trim()) || undefined;

function isAllowed(allowed: readonly string[], host: string): boolean {
  const name = bare(host.replace(/:\d{1,5}$/, ""));
  return allowed.some((entry) => (entry.startsWith(".") ? `.${name}`.endsWith(entry) : name === bare(entry)));
}

const bare = (name: string): string =>
  name
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

const PROXIES = new WeakMap<readonly string[], BlockList>();

const isTrusted = ({ TRUSTED_PROXIES }: Config, address: string): boolean => isInNetworks(TRUSTED_PROXIES, address);

/** @param networks addresses, or networks with their number of bits */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return false;
  const plain = address.replace(/^::ffff:/, "");
  if (!isIPv4(plain) && !isIPv6(plain)) return false;
  const list = PROXIES.get(networks) ?? listOf(networks);
  PROXIES.set(networks, list);
  return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of proxies) {
    const [net = "", bits] = entry.split("/");
    const family = isIPv6(net) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list;
}

const wrongHost = (): CmsError => new CmsError("invalid", "This host is not served here.");
