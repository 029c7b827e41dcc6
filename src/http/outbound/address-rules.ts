import { isIP } from "node:net";
import { type Network, parseNetwork } from "../network.ts";

/**
 * Says why an address may not be reached, such as `is a loopback address`; null if it may.
 *
 * @param isSecure whether by https.
 */
export type FindAddressProblem = (address: string, isSecure: boolean) => string | null;

/**
 * Networks that are not the public internet's, and what their addresses are. Of IPv6 only 2000::/3 is public, so
 * IPv4 addresses within IPv6 ones are not.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL = [
  named("is a loopback address", ["127.0.0.0/8", "::1"]),
  named("is a private address", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]),
  // Also where clouds tell machines their credentials.
  named("is a link-local address", ["169.254.0.0/16", "fe80::/10"]),
  named("is a shared address of a provider", ["100.64.0.0/10", "168.63.129.16"]),
  named("is a multicast or broadcast address", ["224.0.0.0/4", "255.255.255.255", "ff00::/8"]),
  named("has an IPv4 address within an IPv6 one", [
    ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"],
  ]),
  named("is not a public address", [
    ...["0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24"],
    ...["203.0.113.0/24", "240.0.0.0/4"],
    ...["::/3", "2001::/23", "2001:db8::/32", "3fff::/20", "4000::/2", "8000::/1"],
  ]),
];

/** @param allowed networks that may be reached although they are not public, over http too. */
export function createAddressRules(allowed: readonly string[]): FindAddressProblem {
  const networks = allowed.map(toNetwork);
  return (address, isSecure) => {
    if (isIP(address) === 0) return "is not an address";
    if (networks.some((isIn) => isIn(address))) return null;
    const special = SPECIAL.find(({ isIn }) => isIn(address));
    if (special !== undefined) return special.problem;
    return isSecure ? null : "may be reached by https only";
  };
}

function named(problem: string, texts: readonly string[]): { problem: string; isIn: Network } {
  const networks = texts.map(toNetwork);
  return { problem, isIn: (address) => networks.some((isIn) => isIn(address)) };
}

function toNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`${text} is not a network`);
  return network;
}
