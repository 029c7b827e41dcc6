import type { IncomingMessage } from "node:http";
import type { Server } from "node:net";
import type { Duplex } from "node:stream";

/** Headers of an upgrade request. */
const UPGRADE_HEADERS = new Set(["upgrade", "http2-settings", "connection"]);

/**
 * Answers a request with an unsupported upgrade, such as h2c, as if it had none: Node passes every upgrade
 * request to the upgrade listener, with its body unread.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.8
 */
export function ignoreUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  { stream, head }: { stream: Duplex; head: Buffer },
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  const request = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  stream.unshift(Buffer.concat([request, head]));
  server.emit("connection", stream);
  stream.resume();
}
