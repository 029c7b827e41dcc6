import { Hono } from "hono";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { refuseOtherMethods } from "../../src/http/refuse-other-methods.ts";
import { cancelRequest, readRequest, submitRequest } from "./access-requests.ts";
import { answerError } from "./answer-error.ts";
import {
  type AuthzenApp,
  type AuthzenEnv,
  type AuthzenServices,
  answerJson,
  echoRequestId,
  guardRequest,
  readBody,
} from "./authzen-app.ts";
import { evaluate } from "./evaluation.ts";
import { evaluateAll } from "./evaluations.ts";
import { type SearchedPart, search } from "./search.ts";

/** All routes of /access/v1. @see https://openid.net/specs/authorization-api-1_0.html */
export function authzenApi(services: AuthzenServices): AuthzenApp {
  const api = new Hono<AuthzenEnv>();
  const guard = guardRequest(services);
  const { rateLimit } = services;
  api.onError((error, c) => answerError(error, c));
  api.use("*", echoRequestId);
  api.post("/evaluation", ...guard, async (c) => answerJson(c, await evaluate(c, await readBody(c))));
  api.post("/evaluations", ...guard, async (c) =>
    answerJson(c, await evaluateAll(c, await readBody(c), rateLimit)),
  );
  for (const part of ["subject", "resource", "action"] satisfies SearchedPart[]) {
    api.post(`/search/${part}`, ...guard, async (c) =>
      answerJson(c, await search(c, { part, body: await readBody(c) })),
    );
  }
  const [admit] = guard;
  api.post("/requests", ...guard, submitRequest);
  api.get("/requests/:id", admit, readRequest);
  api.post("/requests/:id/cancel", ...guard, cancelRequest);
  refuseOtherMethods(api, (allow, c) =>
    answerError(new DomainError("method_not_allowed", `This path allows only ${allow}.`), c, { allow }),
  );
  api.all("*", (c) => answerError(new DomainError("not_found", "This path doesn't exist."), c));
  return api;
}
