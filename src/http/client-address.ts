import { isIP } from "node:net";
import { type Network, parseNetwork } from "./network.ts";

/** The part of a request's context that all HTTP APIs share. */
type Incoming = {
  env: { incoming: { socket: { remoteAddress?: string | undefined } } };
  req: { header: (name: string) => string | undefined };
};

/** Returns the client's address, or null if the connection is closed. */
export type ClientAddress = (c: Incoming) => string | null;

/**
 * Finds the client's address. X-Forwarded-For is trusted only as far as trusted proxies wrote it: read from
 * the right, the first address that is not a trusted proxy is the client's.
 *
 * @param trustedProxies addresses and networks such as 10.0.0.0/8.
 * @see
 *   https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Forwarded-For#selecting_an_ip_address
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return getPeerAddress;
  const trusted = trustedProxies.map(parseTrustedNetwork);
  return (c) => {
    const peer = getPeerAddress(c);
    const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map(stripPort);
    let caller = peer;
    while (caller !== null && isTrusted(trusted, caller)) {
      const hop = hops.pop();
      // A proxy writes only valid addresses, so the last valid one is used.
      if (hop === undefined || isIP(hop) === 0) return caller;
      caller = hop;
    }
    return caller;
  };
}

/** The peer's address. IPv4 over IPv6 is returned as IPv4. */
function getPeerAddress(c: Incoming): string | null {
  const address = c.env.incoming.socket.remoteAddress;
  return address === undefined ? null : unmapIpv4(address);
}

function parseTrustedNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`${text} is not an address or network`);
  return network;
}

function isTrusted(trusted: readonly Network[], address: string): boolean {
  return trusted.some((network) => network(address));
}

/** Removes port and brackets: `[::1]:4711`, `10.0.0.1:4711`. */
function stripPort(entry: string): string {
  const text = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return unmapIpv4(bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, "") : text));
}

function unmapIpv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
