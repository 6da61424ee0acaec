/** Client address and requested host. Headers of proxies count only from `TRUSTED_PROXIES`. */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { derived } from "../../memo.ts";
import type { Config } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import { isAuthority } from "../socket/authority.ts";
import type { RequestHeaders, RequestUrl } from "./request.ts";

/** The parts of a request that identify its client and its host. */
export interface ConnectionInfo {
  readonly headers: RequestHeaders;
  readonly url: Pick<RequestUrl, "protocol" | "host">;
  /** Address of the other end of the connection; "" if unknown. */
  readonly peer: string;
}

/** What precedes a path in an absolute URL: `BASE_URL`, or scheme and host of the request, and the base path. */
export const originOf = (config: Config, connection: ConnectionInfo): string =>
  ((config.usesRequestOrigin ? null : config.BASE_URL) ?? requestedOrigin(config, connection)) + config.BASE_PATH;

/**
 * Scheme and host of the URL that the browser requested.
 *
 * @throws CmsError `invalid` for an invalid host, or one that is not in `ALLOWED_HOSTS` when that is set
 */
export function requestedOrigin(config: Config, connection: ConnectionInfo): string {
  const forwarded = forwardedBy(config, connection);
  const scheme = forwarded("x-forwarded-proto") ?? connection.url.protocol.slice(0, -1);
  return `${scheme === "https" ? "https" : "http"}://${allowedHost(config, connection)}`;
}

/** @throws CmsError `invalid` where `ALLOWED_HOSTS` is set and does not have the host */
export function refuseOtherHost(config: Config, connection: ConnectionInfo): void {
  if (config.ALLOWED_HOSTS.length > 0) allowedHost(config, connection);
}

/** Host and port of the request. @throws CmsError `invalid` as `requestedOrigin` */
function allowedHost(config: Config, connection: ConnectionInfo): string {
  const host =
    forwardedBy(config, connection)("x-forwarded-host") ?? connection.headers.get("host") ?? connection.url.host;
  if (!isAuthority(host)) throw wrongHost();
  if (config.ALLOWED_HOSTS.length > 0 && !isAllowed(config.ALLOWED_HOSTS, host)) throw wrongHost();
  return host;
}

/** Address of the client: the peer, or behind trusted proxies the last address that is not a trusted proxy. */
export function addressOf(config: Config, { headers, peer }: ConnectionInfo): string {
  if (!isTrusted(config, peer)) return peer;
  const addresses = (headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((address) => withoutPort(address.trim()))
    .filter(Boolean);
  return addresses.reverse().find((address) => !isTrusted(config, address)) ?? peer;
}

/** Some proxies name the port of the client, too: then each connection would be another client. */
const withoutPort = (address: string): string =>
  /^([\d.]{7,15}):\d{1,5}$/.exec(address)?.[1] ?? /^\[([\da-f:.]{2,45})\](?::\d{1,5})?$/i.exec(address)?.[1] ?? address;

/** Reads the first value of a proxy header; undefined without one, or when the peer is not a trusted proxy. */
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

const isTrusted = ({ TRUSTED_PROXIES }: Config, address: string): boolean => isInNetworks(TRUSTED_PROXIES, address);

/** @param networks addresses, or networks such as `10.0.0.0/8` */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return false;
  const plain = address.replace(/^::ffff:/, "");
  if (!isIPv4(plain) && !isIPv6(plain)) return false;
  return blockList(networks).check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

const blockList = derived((networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const entry of networks) {
    const [net = "", bits] = entry.split("/");
    const family = isIPv6(net) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list;
});

const wrongHost = (): CmsError => new CmsError("invalid", "This host is not served here.");
