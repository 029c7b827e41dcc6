import { isIPv6 } from "node:net";

/** Values of HOST that mean all addresses of the machine. */
const ANY = new Set(["0.0.0.0", "::"]);

/** Builds the URL by which a browser on this machine reaches the server. */
export function listeningUrl(host: string, port: number): string {
  if (ANY.has(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
