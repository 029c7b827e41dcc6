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
import { toWireEnum, uuid } from "../shared/shapes.ts";

const fields = {
  // Any text: one that can't be a token is inactive, not an error.
  token: z.string().min(1).max(512),
  token_type_hint: z.string().optional().openapi({ description: "Accepted and ignored." }),
};

const tokenInput = z.strictObject(fields).openapi("TokenInput");
/** Other fields sent by OAuth clients are ignored. @see RFC 6749, 3.2 */
const tokenForm = z.object(fields).openapi("TokenForm");

const introspection = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      scope: z.string(),
      token_type: z.enum(["api_key", "agent_token", "socket_token"]),
      exp: z
        .int()
        .optional()
        .openapi({ description: "Unix time in seconds. Missing if the token never expires." }),
      iat: z.int().openapi({ description: "Unix time in seconds." }),
      sub: uuid.openapi({ description: "The agent's id." }),
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
    summary: "Introspect a token",
    description: "RFC 7662. The scope isn't needed for the caller's own credential.",
    security: bearer("tokens:introspect"),
    request: { body },
    responses: { 200: jsonResponse("The token", introspection), ...problems(400, 401, 403, 413, 415, 422) },
  }),
  revoke: createRoute({
    method: "post",
    path: "/tokens/revoke",
    tags: ["Tokens"],
    summary: "Revoke your own token, or one you have minted",
    description: "RFC 7009. The response is the same whether or not the token exists.",
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

/** The token from the body, which is JSON or a form. */
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
