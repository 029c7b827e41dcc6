import { isIPv6 } from "node:net";

/** Every address of the machine, as HOST names them. */
const ANY = new Set(["0.0.0.0", "::"]);

/** How a browser of this machine reaches what listens at a host or address, and a port. */
export function listeningUrl(host: string, port: number): string {
  if (ANY.has(host)) return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
