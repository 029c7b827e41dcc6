import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { buildLinkHeader, pageParameters, toPagination } from "../shared/parameters.ts";
import { jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { dateTime, omitUndefined, handle, newScopes, text, uuid, wholeNumber } from "../shared/shapes.ts";

const MAX_OFFSET = 100_000;

const agentToken = z
  .strictObject({
    id: uuid,
    agent_id: uuid,
    api_key_id: uuid.nullable().describe("The key that minted it; null if a workload's trust did."),
    name: z.string().nullable(),
    scopes: z.array(z.string()),
    created_at: dateTime,
    expires_at: dateTime,
    revoked_at: dateTime.nullable(),
    last_used_at: dateTime.nullable(),
  })
  .openapi("AgentToken");

const newAgentToken = z
  .strictObject({
    agent: z
      .strictObject({
        handle,
        name: text(LIMITS.nameLength).nullish(),
        kind: z.enum(["software", "robot"]).nullish(),
      })
      .nullish()
      .openapi({
        description: "Default: the API key's agent. A handle that doesn't exist creates a new agent.",
      }),
    scopes: newScopes.nullish().openapi({ description: "Default: all scopes of the API key." }),
    name: text(LIMITS.nameLength).nullish(),
    expires_in: wholeNumber(LIMITS.agentTokenSeconds)
      .nullish()
      .openapi({ description: "Lifetime in seconds. Default: 30 days." }),
    revoke_oldest: z
      .boolean()
      .nullish()
      .openapi({
        description: `If the agent already has ${LIMITS.liveTokensPerAgent} valid tokens of this key, revoke the oldest instead of returning an error.`,
      }),
  })
  .openapi("NewAgentToken");

const issuedAgentToken = z
  .strictObject({
    id: uuid,
    token: z.string(),
    access_token: z.string().openapi({ description: "Same as `token`, under its name in RFC 6749." }),
    token_type: z.literal("Bearer"),
    expires_in: z.int().openapi({ description: "Seconds." }),
    expires_at: dateTime,
    agent_id: uuid,
    scopes: z.array(z.string()),
    scope: z.string().openapi({ description: "Same as `scopes`, in the format of RFC 6749." }),
    name: z.string().nullable(),
  })
  .openapi("IssuedAgentToken");

const routes = {
  list: createRoute({
    method: "get",
    path: "/agent_tokens",
    tags: ["Tokens"],
    summary: "List agent tokens, newest first, without their secrets",
    security: bearer(),
    request: {
      query: z.strictObject({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of tokens",
        z.strictObject({ agent_tokens: z.array(agentToken), count: z.int() }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  create: createRoute({
    method: "post",
    path: "/agent_tokens",
    tags: ["Tokens"],
    summary: "Mint an access token for an agent",
    description: `Requires an API key. The token is shown only once. An agent can have at most ${LIMITS.liveTokensPerAgent} valid tokens per API key, including the keys it was rotated from and to.`,
    security: bearer(),
    request: { body: { content: { "application/json": { schema: newAgentToken } }, required: false } },
    responses: {
      201: jsonResponse("The token", issuedAgentToken),
      ...problems(
        "invalid_scope",
        401,
        "api_key_required",
        "emergency_stop",
        "quota_exceeded",
        "token_limit",
        413,
        415,
        422,
      ),
    },
  }),
  revoke: createRoute({
    method: "delete",
    path: "/agent_tokens/{id}",
    tags: ["Tokens"],
    summary: "Revoke an access token",
    security: bearer(),
    request: {
      params: z.strictObject({
        id: z
          .union([uuid, z.literal("current")])
          .openapi({ description: "The token's id, or `current` for the token used for this request." }),
      }),
    },
    responses: { 204: { description: "Revoked" }, ...problems(400, 401, 403, 404) },
  }),
};

const AgentTokenFields = graphql(`
  fragment AgentTokenFields on AgentToken {
    id: uuid
    agent_id: agentUuid
    api_key_id: apiKeyUuid
    name
    scopes
    created_at: createdAt
    expires_at: expiresAt
    revoked_at: revokedAt
    last_used_at: lastUsedAt
  }
`);

const ListAgentTokens = graphql(
  `
    query ListAgentTokens($limit: Int!, $offset: Int!) {
      agentTokens(first: $limit, offset: $offset) {
        ...AgentTokenFields
      }
    }
  `,
  [AgentTokenFields],
);

const CreateAgentToken = graphql(
  `
    mutation CreateAgentToken($input: CreateAgentTokenInput!) {
      createAgentToken(input: $input) {
        token
        expiresIn
        agentToken {
          ...AgentTokenFields
        }
      }
    }
  `,
  [AgentTokenFields],
);

const RevokeAgentToken = graphql(`
  mutation RevokeAgentToken($id: ID!) {
    revokeAgentToken(input: { id: $id }) {
      revokedId
    }
  }
`);

/** The routes of /api/v1/agent_tokens. */
export function agentTokenRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi({ ...routes.list, middleware: guardRoute(services) }, async (c) => {
    const { limit, offset } = c.req.valid("query");
    const { agentTokens } = await execute(getCtx(c), ListAgentTokens, { limit, offset });
    const count = agentTokens.length;
    // Tokens are not counted, so the page after a full one may be empty.
    const place = toPagination({ limit, offset, count, total: null, hasMore: count === limit }, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place));
    return answerHashed(c, { agent_tokens: agentTokens, count });
  });
  app.openapi(
    { ...routes.create, middleware: guardRouteWithBody(services, { apiKeyOnly: true }) },
    async (c) => {
      const input = tokenInput(c.req.valid("json"));
      const { createAgentToken: made } = await execute(getCtx(c), CreateAgentToken, { input });
      return c.json(issuedJson(made), 201, {
        "cache-control": "no-store",
        location: `/api/v1/agent_tokens/${made.agentToken.id}`,
      });
    },
  );
  app.openapi({ ...routes.revoke, middleware: guardRoute(services) }, async (c) => {
    const { id } = c.req.valid("param");
    const node = id === "current" ? id : toGlobalId("AgentToken", id.toLowerCase());
    await execute(getCtx(c), RevokeAgentToken, { id: node });
    return c.body(null, 204);
  });
  return app;
}

const AGENT_KINDS = { software: "SOFTWARE", robot: "ROBOT" } as const;

function tokenInput(body: z.output<typeof newAgentToken>) {
  const { agent, scopes, name, expires_in: expiresIn, revoke_oldest: revokeOldest } = body;
  return omitUndefined({
    agent: agent
      ? { handle: agent.handle, name: agent.name ?? null, kind: agent.kind ? AGENT_KINDS[agent.kind] : null }
      : undefined,
    scopes,
    name,
    expiresIn,
    revokeOldest,
  });
}

function issuedJson({
  token,
  expiresIn,
  agentToken: row,
}: ResultOf<typeof CreateAgentToken>["createAgentToken"]) {
  return {
    id: row.id,
    token,
    access_token: token,
    token_type: "Bearer" as const,
    expires_in: expiresIn,
    expires_at: row.expires_at,
    agent_id: row.agent_id,
    scopes: row.scopes,
    scope: row.scopes.join(" "),
    name: row.name,
  };
}
