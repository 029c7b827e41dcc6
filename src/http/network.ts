import { BlockList, isIP } from "node:net";

/** Whether an address is in the network. False for invalid addresses. */
export type Network = (address: string) => boolean;

const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** IPv4-mapped IPv6 addresses: ::ffff:0:0/96. */
const IPV4 = new BlockList();
IPV4.addSubnet("::ffff:0:0", 96, "ipv6");

/**
 * Parses an address, or a network such as 10.0.0.0/8 or 2001:db8::/32. An IPv4-mapped IPv6 address equals
 * the IPv4 address. An IPv6 network, even ::/0, contains no other IPv4 addresses.
 *
 * @returns null if the text is neither.
 * @see https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
 */
export function parseNetwork(text: string): Network | null {
  const [first = "", prefix, ...rest] = text.split("/");
  const family = findFamily(first);
  if (family === null || rest.length > 0) return null;
  const bits = family === "ipv6" ? 128 : 32;
  const length = parsePrefixLength(prefix, bits);
  if (length === null) return null;
  const list = new BlockList();
  list.addSubnet(first, length, family);
  // BlockList matches IPv4 with every IPv6 network that contains ::ffff:0:0/96.
  const isWide = family === "ipv6" && length < 96;
  return (address) => {
    const its = findFamily(address);
    return its !== null && list.check(address, its) && !(isWide && IPV4.check(address, its));
  };
}

function findFamily(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 6 ? "ipv6" : "ipv4";
}

/** Parses a prefix length. Default: all bits. Returns null if it is invalid. */
function parsePrefixLength(prefix: string | undefined, bits: number): number | null {
  if (prefix === undefined) return bits;
  return PREFIX.test(prefix) && Number(prefix) <= bits ? Number(prefix) : null;
}
