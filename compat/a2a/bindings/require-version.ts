import type { Context } from "hono";
import { A2aError } from "../a2a-error.ts";
import type { A2aEnv } from "../a2a-app.ts";
import { PROTOCOL_VERSION } from "../protocol.ts";

/** What clients speak that don't say it. */
const UNSAID = "0.3";

/**
 * Requires that the client speaks our version. Patches of it don't matter.
 *
 * @throws {A2aError} VERSION_NOT_SUPPORTED.
 * @see https://a2a-protocol.org/latest/specification/#36-versioning
 */
export function requireVersion(c: Context<A2aEnv>): void {
  const said = [c.req.header("a2a-version"), c.req.query("A2A-Version")].map((one) => one?.trim());
  // Empty ones say nothing.
  const version = said.find(Boolean) ?? UNSAID;
  const [, spoken] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(version) ?? [];
  if (spoken === PROTOCOL_VERSION) return;
  const message = `The header A2A-Version must be ${PROTOCOL_VERSION}; without it, ${UNSAID} is meant.`;
  throw new A2aError("VERSION_NOT_SUPPORTED", message);
}
