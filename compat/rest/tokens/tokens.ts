import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { createFieldError } from "../../../src/domain/kernel/errors.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { jsonResponse, bearer, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { toWireEnum, text, uuid } from "../shared/shapes.ts";

const fields = {
  token: text(512),
  token_type_hint: z.string().optional().openapi({ description: "Taken, and not needed." }),
};

const tokenInput = z.strictObject(fields).openapi("TokenInput");
/** What OAuth clients send beside is none of ours. @see RFC 6749, 3.2 */
const tokenForm = z.object(fields).openapi("TokenForm");

const introspection = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      scope: z.string(),
      token_type: z.enum(["api_key", "agent_token", "socket_token"]),
      exp: z.int().optional().openapi({ description: "Seconds since 1970; absent where it never expires." }),
      iat: z.int().openapi({ description: "Seconds since 1970." }),
      sub: uuid.openapi({ description: "The agent." }),
      jti: uuid.openapi({ description: "The token's id." }),
      workspace_id: uuid,
    }),
  ])
  .openapi("TokenIntrospection");

const body = {
  content: {
    "application/json": { schema: tokenInput },
    "application/x-www-form-urlencoded": { schema: tokenForm },
  },
  required: false,
};

const routes = {
  introspect: createRoute({
    method: "post",
    path: "/tokens/introspect",
    tags: ["Tokens"],
    summary: "Tell what a token is",
    description: "RFC 7662. Needs the scope, except about the caller's own credential.",
    security: bearer("tokens:introspect"),
    request: { body },
    responses: { 200: jsonResponse("The token", introspection), ...problems(400, 401, 403, 413, 415, 422) },
  }),
  revoke: createRoute({
    method: "post",
    path: "/tokens/revoke",
    tags: ["Tokens"],
    summary: "End a token that you are or have minted",
    description: "RFC 7009. Answers the same whether or not there was such a token.",
    security: bearer(),
    request: { body },
    responses: {
      200: jsonResponse("Done", z.strictObject({}).openapi("Done")),
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
};

const IntrospectToken = graphql(`
  query IntrospectToken($token: String!) {
    introspectToken(token: $token) {
      uuid
      kind
      agentUuid
      scopes
      createdAt
      expiresAt
    }
    workspace {
      uuid
    }
  }
`);

const RevokeToken = graphql(`
  mutation RevokeToken($token: String!) {
    revokeToken(input: { token: $token }) {
      done
    }
  }
`);

/** The routes of /api/v1/tokens. */
export function tokenRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const form = guardRouteWithBody(services, { form: true });
  app.openapi({ ...routes.introspect, middleware: form }, async (c) => {
    const found = await execute(getCtx(c), IntrospectToken, {
      token: getToken(c.req.valid("json"), c.req.valid("form")),
    });
    return c.json(introspectionJson(found), 200, { "cache-control": "no-store" });
  });
  app.openapi({ ...routes.revoke, middleware: form }, async (c) => {
    await execute(getCtx(c), RevokeToken, { token: getToken(c.req.valid("json"), c.req.valid("form")) });
    return c.json({}, 200);
  });
  return app;
}

/** The token of a body that is JSON or a form; the other of the two is empty. */
function getToken(
  json: Partial<z.output<typeof tokenInput>>,
  form: Partial<z.output<typeof tokenInput>>,
): string {
  const token = json.token ?? form.token;
  if (token === undefined) throw createFieldError("token", "is required");
  return token;
}

function introspectionJson({ introspectToken: token, workspace }: ResultOf<typeof IntrospectToken>) {
  if (token === null) return { active: false };
  return {
    active: true,
    scope: token.scopes.join(" "),
    token_type: toWireEnum(token.kind),
    ...(token.expiresAt !== null && { exp: seconds(token.expiresAt) }),
    iat: seconds(token.createdAt),
    sub: token.agentUuid,
    jti: token.uuid,
    workspace_id: workspace.uuid,
  };
}

function seconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
