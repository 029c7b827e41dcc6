import type { Context } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import type { HooksEnv } from "./hooks-app.ts";

/** How long the call is held for people, and what is answered if they don't decide. */
export type Hold = { seconds: number; onTimeout: "deny" | "ask" };

/** For the way back: a coding agent lets the tool run once its timeout is over. */
const MARGIN_SECONDS = 3;

/**
 * Reads `timeout`, that of the hook in the coding agent's settings in seconds, and `on_timeout`.
 *
 * @throws {DomainError} invalid_parameter.
 */
export function readHold(c: Context<HooksEnv>): Hold {
  const { timeout, on_timeout: onTimeout = "deny" } = c.req.query();
  if (onTimeout !== "deny" && onTimeout !== "ask") throw createError("on_timeout", "deny or ask");
  const { max, default: usual } = LIMITS.holdSeconds;
  if (timeout === undefined) return { seconds: usual, onTimeout };
  if (!/^\d{1,6}$/.test(timeout)) throw createError("timeout", "a whole number of seconds");
  return { seconds: Math.min(max, Math.max(0, Number(timeout) - MARGIN_SECONDS)), onTimeout };
}

function createError(field: string, what: string): DomainError {
  return new DomainError("invalid_parameter", `${field} must be ${what}.`, { field });
}
