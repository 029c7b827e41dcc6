import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** An answered request, for metrics. */
export type Answered = {
  method: string;
  /** The template of its path, such as `/api/v1/tasks/:id`; null if no route has it. */
  route: string | null;
  status: number;
  /** Until the answer began. */
  seconds: number;
};

/** Node accepts some thirty more, which no route has. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The request's method, or `other`: clients must not invent labels. */
export function nameMethod(method: string): string {
  return METHODS.has(method) ? method : "other";
}

/**
 * Finds the template of the request's path: that of the handler that answered, or that would have if no middleware had
 * refused. Null if there is none. Call it after the answer.
 */
export function findRoute(c: Context): string | null {
  const routes = matchedRoutes(c).slice(c.req.routeIndex);
  const endpoint = routes.find(({ path }) => !path.endsWith("*"));
  // Files are served from folders.
  const folder = routes.find(({ method, path }) => method !== "ALL" && path !== "/*" && path !== "*");
  return (endpoint ?? folder)?.path ?? null;
}
