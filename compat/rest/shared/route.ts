import { type RouteConfig, createRoute as createAnyRoute, z } from "@hono/zod-openapi";

/** The query schema of routes that declare no parameters. */
const NO_PARAMETERS = z.strictObject({});

/**
 * Declares a route. Query parameters that `query` doesn't name are rejected with the most similar known name.
 * Only lists whose contract ignores unknown parameters use a non-strict object.
 */
export function createRoute<Config extends RouteConfig>(config: Config) {
  const route = createAnyRoute<Config["path"], Config>(config);
  Object.assign(route, { request: { query: NO_PARAMETERS, ...config.request } });
  return route;
}
