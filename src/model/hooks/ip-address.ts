/** Which IP addresses are on the public internet. */
import { BlockList, isIP } from "node:net";

/** Special-purpose addresses (IANA registries), multicast included. */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // shared by the customers of a provider
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local: the metadata services of clouds
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Within 2000::/3, outside of which no address is public. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const blockListOf = (networks: readonly string[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const IPV4 = blockListOf(SPECIAL_IPV4, "ipv4");
const IPV6 = blockListOf(SPECIAL_IPV6, "ipv6");
const GLOBAL_IPV6 = blockListOf(["2000::/3"], "ipv6");
/** `::ffff:0:0/96` (mapped) and `64:ff9b::/96` (NAT64): their last 32 bits are the IPv4 address that is reached. */
const WITH_IPV4 = blockListOf(["::ffff:0:0/96", "64:ff9b::/96"], "ipv6");

/** False for loopback, private, link-local and other special addresses, in whichever notation, and for other texts. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !IPV4.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (WITH_IPV4.check(address, "ipv6")) return isPublicAddress(lastBitsOf(address));
  return GLOBAL_IPV6.check(address, "ipv6") && !IPV6.check(address, "ipv6");
}

/** The last 32 bits of an IPv6 address, as an IPv4 address. */
function lastBitsOf(address: string): string {
  const words = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  return words
    .flatMap((word) => [Number.parseInt(word || "0", 16) >> 8, Number.parseInt(word || "0", 16) & 255])
    .join(".");
}
