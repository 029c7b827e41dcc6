import type { Context, Env, Hono } from "hono";

/**
 * Makes an app reject methods that its paths, as registered so far, don't have.
 *
 * @param refuse called with the path's methods, as in the Allow header.
 * @see RFC 9110, 15.5.6
 */
export function refuseOtherMethods<E extends Env>(
  app: Hono<E>,
  refuse: (allow: string, c: Context<E>) => Response,
): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method !== "ALL") methods.set(path, (methods.get(path) ?? new Set<string>()).add(method));
  }
  // Fixed segments come before parameters that would also match.
  const paths = [...methods].toSorted(([a], [b]) => countParameters(a) - countParameters(b));
  for (const [path, known] of paths) {
    if (known.has("GET")) known.add("HEAD");
    const allow = [...known].toSorted().join(", ");
    app.all(path, (c) => refuse(allow, c));
  }
}

function countParameters(path: string): number {
  return path.split("/").filter((segment) => segment.startsWith(":")).length;
}
