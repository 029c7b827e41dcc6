import type { Context, Env, Hono } from "hono";

/**
 * Has every path that an app knows so far answer every method: one that it does not know is refused.
 *
 * @param refuse told the methods that the path answers, as the Allow header lists them.
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
  // A name comes before a parameter that would also take it.
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
