import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { countHosts } from "../http/require-sound-request.ts";
import { isOwnOrigin } from "../http/same-origin.ts";

/** The configuration of upgrades. */
export type UpgradeRules = {
  publicBaseUrl: string | null;
  allowedHosts: readonly string[];
};

export type UpgradeErrorStatus = 400 | 403 | 404 | 421 | 503;

const PER_SECOND = 1000;
const LATEST_SECONDS = 5;

/**
 * Checks an upgrade's path, host and origin, and whether the node can accept it. A request without Origin
 * is not a browser's.
 *
 * @see
 *   https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/10-Testing_WebSockets
 */
export function createUpgradeGuard({
  publicBaseUrl,
  allowedHosts,
}: UpgradeRules): (request: IncomingMessage) => UpgradeErrorStatus | null {
  let second = { number: 0, upgrades: 0 };
  return (request) => {
    const { url, headers, socket } = request;
    const number = Math.floor(performance.now() / 1000);
    if (second.number !== number) second = { number, upgrades: 0 };
    if (++second.upgrades > PER_SECOND) return 503;
    const host = findHost(request);
    if (host === null) return 400;
    if (allowedHosts.length > 0 && !allowedHosts.includes(host)) return 421;
    if (url?.split("?")[0] !== "/graphql") return 404;
    const { origin } = headers;
    const isOwn = origin === undefined || isOwnOrigin(publicBaseUrl, origin, socket.localPort);
    return isOwn ? null : 403;
  };
}

/**
 * Returns the request's only host, without its port; null if it is missing or ambiguous.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
function findHost({ headers: { host }, rawHeaders }: IncomingMessage): string | null {
  if (host === undefined || host === "" || countHosts(rawHeaders) > 1) return null;
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Answers an upgrade with an error and ends the connection, even if the other side does not. */
export function refuseUpgrade(stream: Duplex, status: UpgradeErrorStatus): void {
  // Random, so that clients rejected together don't retry together.
  const retryAfter = `Retry-After: ${1 + Math.floor(Math.random() * LATEST_SECONDS)}`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Length: 0",
    ...(status === 503 ? [retryAfter] : []),
  ];
  stream.end(`${lines.join("\r\n")}\r\n\r\n`, () => stream.destroy());
}
