import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { type FindAddressProblem, createAddressRules } from "./address-rules.ts";
import { type OutboundAnswer, type OutboundLimits, exchange } from "./exchange.ts";
import { createAddressError, createGuardedLookup } from "./guarded-lookup.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Resolve } from "./resolve-name.ts";

/** Requests to other servers at URLs that callers have entered. */
export type Outbound = {
  /**
   * Sends a request, once. Redirects are answers like any other.
   *
   * @throws {OutboundError}
   */
  send: (url: string, request: OutboundRequest) => Promise<OutboundAnswer>;
  /**
   * Lets requests reach a server of this process: this origin, such as `http://127.0.0.1:4711`, and nothing else at
   * its address.
   *
   * @returns a function that ends it.
   */
  admit: (origin: string) => () => void;
  /** Closes connections that are kept for later requests. */
  close: () => void;
};

export type OutboundRequest = {
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Ends the request when it is aborted. */
  signal?: AbortSignal;
  limits?: Partial<OutboundLimits>;
};

const LIMITS: OutboundLimits = {
  connectMs: 5000,
  firstByteMs: 60_000,
  silenceMs: 60_000,
  wholeMs: 600_000,
  answerBytes: 16_777_216,
};

/** A server may have closed a connection that was idle for longer, which a request would then not survive. */
const IDLE_MS = 4000;

/**
 * Creates the client for requests to other servers. It connects to public addresses by https, and to the networks
 * in `allow` by http too. The environment's proxies are not used.
 *
 * @param options `resolve` stands in for DNS in tests.
 */
export function createOutbound(allow: readonly string[], { resolve }: { resolve?: Resolve } = {}): Outbound {
  const findProblem = createAddressRules(allow);
  const admitted = new Set<string>();
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agents = {
    http: new http.Agent(kept),
    https: new https.Agent({ ...kept, rejectUnauthorized: true }),
  };
  return {
    send: async (text, { method, headers, body, signal, limits }) => {
      const url = parseUrl(text);
      const isSecure = url.protocol === "https:";
      // An origin whose host is an address: no name leads there.
      const rules = { findProblem: admitted.has(url.origin) ? findNone : findProblem, isSecure };
      requirePublicLiteral(url, rules);
      const lookup = createGuardedLookup({ ...rules, ...(resolve && { resolve }) });
      const asked = { method, lookup, headers: { ...headers, "accept-encoding": "identity" } };
      const request = isSecure
        ? https.request(url, { ...asked, agent: agents.https })
        : http.request(url, { ...asked, agent: agents.http });
      return exchange(request, { body, signal, limits: { ...LIMITS, ...limits } });
    },
    admit: (origin) => {
      const { hostname } = new URL(origin);
      if (isIP(hostname) === 0) throw new Error(`${origin} is not the origin of an IPv4 address`);
      admitted.add(origin);
      return () => admitted.delete(origin);
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function findNone(): null {
  return null;
}

/**
 * Parses a URL that can be requested: https or http, without a user or password.
 *
 * @throws {OutboundError} url.
 */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError("url", "This is not a URL.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OutboundError("url", "The URL must start with https:// or http://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("url", "The URL must not contain a user or password.");
  }
  return url;
}

/** Connections ask no resolver about a host that is an address. */
function requirePublicLiteral(
  { hostname }: URL,
  { findProblem, isSecure }: { findProblem: FindAddressProblem; isSecure: boolean },
): void {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) === 0) return;
  const problem = findProblem(host, isSecure);
  if (problem !== null) throw createAddressError(host, problem);
}
