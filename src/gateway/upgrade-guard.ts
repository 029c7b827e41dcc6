import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { isOwnOrigin } from "../http/same-origin.ts";
import type { Strangers } from "./strangers.ts";

/** Which upgrades are let through, as the configuration says. */
export type UpgradeRules = {
  publicBaseUrl: string | null;
  allowedHosts: readonly string[];
  /** Where there are none, addresses tell nobody apart. */
  trustedProxies: readonly string[];
};

/** Why an upgrade is refused. */
export type UpgradeRefusal = { status: 400 | 403 | 404 | 421 | 503; retryAfter?: number };

const PER_SECOND = 1000;
/** Sockets of which it is not known whose they are: of all, and of one address. */
const STRANGERS = { all: 2000, like: 200 };

/**
 * Holds upgrades to the path, the hosts and the origins that they may come from, and to what the node can take.
 * A request without an Origin is no browser's.
 *
 * @see https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/10-Testing_WebSockets
 */
export function createUpgradeGuard(
  { publicBaseUrl, allowedHosts }: UpgradeRules,
  strangers: Pick<Strangers, "count" | "countLike">,
): (request: IncomingMessage) => UpgradeRefusal | null {
  let second = { number: 0, upgrades: 0 };
  return (request) => {
    const { url, headers, socket } = request;
    const number = Math.floor(performance.now() / 1000);
    if (second.number !== number) second = { number, upgrades: 0 };
    if (++second.upgrades > PER_SECOND || isCrowded(request, strangers))
      return { status: 503, retryAfter: 1 };
    const host = urlOf(`http://${headers.host}`)?.hostname;
    if (host === undefined) return { status: 400 };
    if (allowedHosts.length > 0 && !allowedHosts.includes(host)) return { status: 421 };
    if (url?.split("?")[0] !== "/graphql") return { status: 404 };
    const { origin } = headers;
    const isOwn = origin === undefined || isOwnOrigin(publicBaseUrl, origin, socket.localPort);
    return isOwn ? null : { status: 403 };
  };
}

function isCrowded(
  request: IncomingMessage,
  { count, countLike }: Pick<Strangers, "count" | "countLike">,
): boolean {
  const all = count();
  return all >= STRANGERS.all || (all >= STRANGERS.like && countLike(request) >= STRANGERS.like);
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Answers an upgrade with a refusal and nothing more. */
export function refuseUpgrade(stream: Duplex, { status, retryAfter }: UpgradeRefusal): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Length: 0",
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  stream.end(`${lines.join("\r\n")}\r\n\r\n`);
}
