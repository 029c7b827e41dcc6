import { type Context, Hono } from "hono";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { allowSilence } from "../../../src/http/allow-silence.ts";
import { formatEvent } from "../../../src/http/event-stream.ts";
import { A2aError } from "../a2a-error.ts";
import type { A2aApp, A2aEnv, A2aServices } from "../a2a-app.ts";
import { OPERATIONS } from "../operations/operations.ts";
import type { Call, Operation } from "../operation.ts";
import { A2A_TYPE } from "../protocol.ts";
import { type EventFormat, answerUpdates } from "./answer-updates.ts";
import { guardRequest } from "./guard-request.ts";
import { answerHttpError, toStatus } from "./http-error.ts";
import { type Route, findRoute } from "./http-routes.ts";
import { readBody } from "./read-body.ts";
import { requireVersion } from "./require-version.ts";

const FORMAT: EventFormat = {
  formatUpdate: (update) => formatEvent(update),
  formatFailure: (failure) => formatEvent(toStatus(failure), "error"),
};

/**
 * The binding HTTP+JSON.
 *
 * @see https://a2a-protocol.org/latest/specification/#11-httpjsonrest-protocol-binding
 */
export function httpBinding(services: A2aServices, base: string): A2aApp {
  const app = new Hono<A2aEnv>();
  const guards = guardRequest(services);
  function serve(c: Context<A2aEnv>): Response | Promise<Response> {
    const found = findRoute(c.req.method, c.req.path.slice(base.length));
    if (found === null) throw new DomainError("not_found", "There is nothing at this path.");
    return "allow" in found ? refuseMethod(c, found.allow) : answer(c, found, services);
  }
  app.onError((error, c) => answerHttpError(error, c));
  app.on(["GET", "POST", "DELETE"], "/*", ...guards, serve);
  app.all("/*", ...guards, serve);
  return app;
}

function refuseMethod(c: Context<A2aEnv>, allow: string): Response {
  const error = new DomainError("method_not_allowed", `This path allows only ${allow}.`);
  return answerHttpError(error, c, { allow });
}

async function answer(
  c: Context<A2aEnv>,
  { operation: name, params }: Route,
  { holdBody }: A2aServices,
): Promise<Response> {
  requireVersion(c);
  const operation: Operation = OPERATIONS[name];
  const input = { ...(await readRequest(c)), ...params };
  const call: Call = { ctx: c.get("ctx"), baseUrl: c.get("baseUrl"), input };
  if (operation.kind === "stream") {
    return answerUpdates(c, { updates: await operation.begin(call), holdBody, format: FORMAT });
  }
  if (operation.waitSeconds > 0) allowSilence(c.env.incoming, operation.waitSeconds);
  return c.body(JSON.stringify(await operation.run(call)), 200, {
    "content-type": A2A_TYPE,
    "cache-control": "no-store",
  });
}

/** The parameters are in the query, or in the body of what is posted. */
async function readRequest(c: Context<A2aEnv>): Promise<Record<string, unknown>> {
  if (c.req.method !== "POST") return c.req.query();
  const body = await readBody(c, {});
  if (isObject(body)) return body;
  throw new A2aError("INVALID_REQUEST", "The body must be a JSON object.");
}
