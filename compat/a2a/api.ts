import { Hono } from "hono";
import type { A2aApp, A2aEnv, A2aServices } from "./a2a-app.ts";
import { httpBinding } from "./bindings/http-binding.ts";
import { rpcBinding } from "./bindings/rpc-binding.ts";
import { a2aDiscovery } from "./discovery.ts";

const HTTP_BASE = "/a2a/v1";

/**
 * The routes by which agents of others put tasks into queues: JSON-RPC at /a2a, HTTP+JSON at /a2a/v1, and the card that
 * names both.
 *
 * @see https://a2a-protocol.org/latest/specification/
 */
export function a2aApi(services: A2aServices): A2aApp {
  const api = new Hono<A2aEnv>();
  api.route(HTTP_BASE, httpBinding(services, HTTP_BASE));
  api.route("/a2a", rpcBinding(services));
  api.route("/", a2aDiscovery());
  return api;
}
