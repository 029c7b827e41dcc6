import type { Context, MiddlewareHandler, Next } from "hono";
import { type VisitorServices, identifyVisitor } from "../../auth/identify.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireRole, requireUser } from "../../domain/kernel/guard.ts";
import type { HttpEnv } from "../../http/request.ts";
import type { PageEnv } from "../page-env.ts";
import { goTo } from "./answer.ts";
import { logInPath } from "./to-own-path.ts";

/** The context of a logged-in visitor, or null. Null also if their workspace is suspended. */
export async function findVisitor(services: VisitorServices, c: Context<HttpEnv>): Promise<Ctx | null> {
  try {
    return await identifyVisitor(services, c);
  } catch (error) {
    if (error instanceof DomainError && error.code === "workspace_suspended") return null;
    throw error;
  }
}

/** Rejects requests sent by other sites' pages. */
export function requireSameOrigin(services: VisitorServices): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (services.isSameOrigin(c)) return next();
    throw new DomainError("forbidden", "This request came from another site.");
  };
}

/** Where a person adds a second factor. */
export const SECURITY_PATH = "/settings/security";

/** What a person may open who must add a second factor first. */
const BEFORE_FACTOR = new Set([SECURITY_PATH, "/users/confirm-password"]);

/**
 * Requires a session. Other visitors are redirected to log in and back, and those who must add a second factor first,
 * to where they do.
 */
export function requireVisitor(services: VisitorServices): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const ctx = await identifyVisitor(services, c);
    if (ctx === null) return goTo(c, logInPath(getCurrentPath(c)));
    const needsFactor = requireUser(ctx).session.needsFactor;
    if (needsFactor && !BEFORE_FACTOR.has(c.req.path)) return goTo(c, SECURITY_PATH);
    c.set("ctx", ctx);
    return next();
  };
}

/** Requires the role admin. */
export async function requireAdmin(c: Context<PageEnv>, next: Next): Promise<void> {
  requireRole(c.get("ctx"), "admin");
  return next();
}

/** The page's path, with the query of a GET. */
function getCurrentPath(c: Context<PageEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === "GET" ? pathname + search : pathname;
}
