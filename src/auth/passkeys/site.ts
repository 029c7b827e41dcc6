import { isIP } from "node:net";
import type { Services } from "../../domain/kernel/services.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { Site } from "../vendor/webauthn.ts";

/**
 * The site that passkeys belong to: PUBLIC_BASE_URL's, never what a request says. Returns null where browsers have no
 * passkeys: without a host name, and over http except on localhost.
 */
export function findSite(services: Services): Site | null {
  const { hostname, origin, protocol } = new URL(readBaseUrl(services));
  const isSecure = protocol === "https:" || hostname === "localhost";
  return isSecure && isIP(hostname) === 0 && !hostname.startsWith("[") ? { id: hostname, origin } : null;
}

/** @throws {DomainError} invalid_state where there are no passkeys. */
export function requireSite(services: Services): Site {
  const site = findSite(services);
  if (site !== null) return site;
  throw new DomainError(
    "invalid_state",
    "Passkeys need a server with a host name over https. Whoever runs it sets PUBLIC_BASE_URL.",
  );
}

function readBaseUrl(services: Services): string {
  if (hasBaseUrl(services)) return services.baseUrl();
  throw new Error("the context has no URL of the server");
}

function hasBaseUrl(services: Services): services is Services & { baseUrl: () => string } {
  return "baseUrl" in services;
}
