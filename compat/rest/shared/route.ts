import { type RouteConfig, createRoute as createAnyRoute, z } from "@hono/zod-openapi";

/** What a route asks for that names no parameters: then it knows none. */
const NO_PARAMETERS = z.strictObject({});

/**
 * Declares a route. Parameters that its `query` does not name are refused, with the nearest that it does;
 * only the lists of the contract ignore them, whose `query` is no strict object.
 */
export function createRoute<Config extends RouteConfig>(config: Config) {
  const route = createAnyRoute<Config["path"], Config>(config);
  Object.assign(route, { request: { query: NO_PARAMETERS, ...config.request } });
  return route;
}
