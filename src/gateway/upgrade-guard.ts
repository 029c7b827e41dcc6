import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { countHosts } from "../http/require-sound-request.ts";
import { isOwnOrigin } from "../http/same-origin.ts";

/** Which upgrades are let through, as the configuration says. */
export type UpgradeRules = {
  publicBaseUrl: string | null;
  allowedHosts: readonly string[];
};

/** The status with which an upgrade is refused. */
export type UpgradeErrorStatus = 400 | 403 | 404 | 421 | 503;

const PER_SECOND = 1000;
const LATEST_SECONDS = 5;

/**
 * Holds upgrades to the path, the hosts and the origins that they may come from, and to what the node can take.
 * A request without an Origin is no browser's.
 *
 * @see https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/10-Testing_WebSockets
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
 * The one host that a request names, without its port; null where that can't be told.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
function findHost({ headers: { host }, rawHeaders }: IncomingMessage): string | null {
  if (host === undefined || host === "" || countHosts(rawHeaders) > 1) return null;
  const address = `http://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Answers an upgrade with a refusal and ends the connection, whether or not the other side does. */
export function refuseUpgrade(stream: Duplex, status: UpgradeErrorStatus): void {
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
