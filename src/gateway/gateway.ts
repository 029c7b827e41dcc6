import { type Plugin, createYoga } from "graphql-yoga";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { admitCaller } from "../auth/admit-caller.ts";
import { type VisitorServices, buildChallenge, identify, identifyCaller } from "../auth/identify.ts";
import { getBodyHolder } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { DomainError, ERRORS, createBodyError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";
import type { HoldBody } from "../http/held-bodies.ts";
import { limitBody } from "../http/limit-body.ts";
import type { HttpEnv } from "../http/request.ts";
import { isCompressed, getMediaType } from "../http/request-body.ts";
import { schema } from "../schema/schema.ts";
import { limitDocuments } from "./limit-documents.ts";
import type { OperationLimits } from "./operation-limits.ts";
import { readParams } from "./read-params.ts";
import { maskError, maskErrors, toGraphqlError } from "./mask-error.ts";

const BODY_BYTES = 524_288;

type Env = HttpEnv & { Variables: { ctx: Ctx } };

const METHODS = "GET, HEAD, POST";

/** The services of GraphQL over HTTP. */
type GatewayServices = VisitorServices & { holdBody: HoldBody };

/**
 * GraphQL over HTTP, one operation per request: POST as application/json with a bearer or a session, and
 * queries by GET with a bearer.
 */
export function createGateway(services: GatewayServices, limits: OperationLimits): Hono<Env> {
  const yoga = createYoga<Ctx>({
    schema,
    graphqlEndpoint: "/graphql",
    landingPage: false,
    graphiql: false,
    batching: false,
    multipart: false,
    // The limit below is lower.
    maxRequestBodySize: false,
    cors: false,
    logging: false,
    plugins: createPlugins(limits),
    maskedErrors: { maskError: (error) => maskError(error, services.log) },
  });
  const app = new Hono<Env>();

  async function answer(c: Context<Env>): Promise<Response> {
    answerOnce(c);
    const isPost = c.req.method === "POST";
    if (isPost) requireJson(c);
    // A HEAD request is answered like a GET.
    const request = isPost ? c.req.raw : new Request(c.req.url, { headers: c.req.raw.headers });
    const answer = await yoga.handleRequest(request, c.get("ctx"));
    // Yoga always answers with a body, so the status is one that allows a body.
    return c.body(await answer.text(), answer.status as ContentfulStatusCode, {
      ...Object.fromEntries(answer.headers),
      "cache-control": "no-store",
    });
  }

  app.get("/graphql", admit(services, limits, identify), (c) => answer(c));
  app.post("/graphql", admit(services, limits, identifyCaller), limitGraphqlBody(services), (c) => answer(c));
  app.all("/graphql", () => {
    throw new DomainError("method_not_allowed", `This path allows ${METHODS}.`);
  });
  app.onError(refuse);
  return app;
}

/** Authenticates the request and applies the limits per credential and workspace, before a body is read. */
function admit(
  services: VisitorServices,
  { rateLimit, reading }: OperationLimits,
  identifyBy: typeof identifyCaller,
): MiddlewareHandler<Env> {
  return admitCaller({
    rateLimit,
    identify: (c) => identifyBy(services, c),
    check: ({ workspaceId }) => {
      if (reading.isUsedUp(workspaceId))
        throw new DomainError("rate_limited", "Too many new documents per second. Try again in a second.");
    },
  });
}

function limitGraphqlBody({ holdBody }: GatewayServices): MiddlewareHandler<Env> {
  return limitBody({
    maxBytes: BODY_BYTES,
    holdBody,
    getHolder: (c) => getBodyHolder(c.get("ctx")),
    createError: createBodyError,
  });
}

function createPlugins(limits: OperationLimits) {
  return [readParams(), limitDocuments(limits), refuseRevoked(), maskErrors(), nameTypesOnce()];
}

/** Without this, a 406 names the types that can be had once for each type that the client accepts. */
function nameTypesOnce(): Plugin<Ctx> {
  return {
    onResultProcess: ({ acceptableMediaTypes }) => {
      const types = new Set(acceptableMediaTypes);
      acceptableMediaTypes.splice(0, acceptableMediaTypes.length, ...types);
    },
  };
}

/** Checks the credential again before execution: it may have been revoked while the body was arriving. */
function refuseRevoked(): Plugin<Ctx> {
  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      // The context that was passed to Yoga with the request.
      const ctx = args.contextValue as Ctx;
      const domainError = ctx.services.live.findCredentialError(ctx);
      if (domainError !== null) setResultAndStopExecution({ errors: [toGraphqlError(domainError)] });
    },
  };
}

/** Yoga also accepts forms, which browsers send to other origins without a preflight. */
function requireJson(c: Context<Env>): void {
  if (isCompressed(c)) {
    throw new DomainError(
      "unsupported_media_type",
      "Compressed bodies are not supported. Send the body without Content-Encoding.",
    );
  }
  const type = getMediaType(c);
  if (type === "application/json") {
    // Yoga compares the type case-sensitively.
    c.req.raw.headers.set("content-type", type);
    return;
  }
  throw new DomainError("unsupported_media_type", "Send the request as application/json.");
}

/** Without this, Yoga streams the answer if the client accepts a stream. */
function answerOnce(c: Context<Env>): void {
  if (/event-stream|multipart/i.test(c.req.header("accept") ?? "")) {
    c.req.raw.headers.set("accept", "application/graphql-response+json");
  }
}

/** Answers a request that failed before execution, in GraphQL's format. */
function refuse(error: unknown, c: Context<Env>): Response {
  const domainError = toDomainError(error);
  if (domainError === null) c.get("log").error({ err: error }, "a GraphQL request failed");
  const shown = domainError ?? new DomainError("internal", "Something went wrong on our side.");
  const challenge = buildChallenge(shown);
  return c.json({ errors: [toGraphqlError(shown).toJSON()] }, ERRORS[shown.code].status, {
    "cache-control": "no-store",
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(shown.code === "unavailable" && { "retry-after": "2" }),
    // The rest of the body was not read, so the connection can't be reused.
    ...(shown.code === "payload_too_large" && { connection: "close" }),
    ...(shown.code === "method_not_allowed" && { allow: METHODS }),
  });
}
