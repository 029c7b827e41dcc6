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

/** The status with which an upgrade is refused. */
export type UpgradeRefusal = 400 | 403 | 404 | 421 | 503;

const PER_SECOND = 1000;
const LATEST_SECONDS = 5;
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
    if (++second.upgrades > PER_SECOND || isCrowded(request, strangers)) return 503;
    const host = urlOf(`http://${headers.host}`)?.hostname;
    if (host === undefined) return 400;
    if (allowedHosts.length > 0 && !allowedHosts.includes(host)) return 421;
    if (url?.split("?")[0] !== "/graphql") return 404;
    const { origin } = headers;
    const isOwn = origin === undefined || isOwnOrigin(publicBaseUrl, origin, socket.localPort);
    return isOwn ? null : 403;
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

/** Answers an upgrade with a refusal and ends the connection, whether or not the other side does. */
export function refuseUpgrade(stream: Duplex, status: UpgradeRefusal): void {
  // Those who are refused together do not come back together.
  const retryAfter = `Retry-After: ${1 + Math.floor(Math.random() * LATEST_SECONDS)}`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Length: 0",
    ...(status === 503 ? [retryAfter] : []),
  ];
  stream.end(`${lines.join("\r\n")}\r\n\r\n`, () => stream.destroy());
}
