import { isIP } from "node:net";
import { type Network, parseNetwork } from "./network.ts";

/** The part of a request's context that is the same for every door. */
type Incoming = {
  env: { incoming: { socket: { remoteAddress?: string | undefined } } };
  req: { header: (name: string) => string | undefined };
};

/** Tells the address of whoever sent a request; null where the connection is gone. */
export type ClientAddress = (c: Incoming) => string | null;

/**
 * Finds the caller's address. X-Forwarded-For is believed only as far as it was written by trusted
 * proxies: it is read from the right, and the first address that is none of theirs is the caller's.
 *
 * @param trustedProxies addresses and networks such as 10.0.0.0/8.
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Forwarded-For#selecting_an_ip_address
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
      // What is no address can't have been written by a proxy; the last one that was, stands for the caller.
      if (hop === undefined || isIP(hop) === 0) return caller;
      caller = hop;
    }
    return caller;
  };
}

/** The peer's address; an IPv4 address that came over IPv6 is shown as IPv4. */
function getPeerAddress(c: Incoming): string | null {
  const address = c.env.incoming.socket.remoteAddress;
  return address === undefined ? null : unmapIpv4(address);
}

function parseTrustedNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`${text} is no address or network`);
  return network;
}

function isTrusted(trusted: readonly Network[], address: string): boolean {
  return trusted.some((network) => network(address));
}

/** An entry without its port and brackets: `[::1]:4711`, `10.0.0.1:4711`. */
function stripPort(entry: string): string {
  const text = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return unmapIpv4(bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, "") : text));
}

function unmapIpv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
