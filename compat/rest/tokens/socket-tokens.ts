import { z } from "@hono/zod-openapi";
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
import { dateTime, omitUndefined, newScopes, uuid } from "../shared/shapes.ts";

const newSocketToken = z
  .strictObject({
    scopes: newScopes.nullish().openapi({ description: "Default: all scopes of the credential." }),
    single_use: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the token can open only one socket." }),
  })
  .openapi("NewSocketToken");

const issuedSocketToken = z
  .strictObject({
    id: uuid,
    token: z.string(),
    socket_token: z.string().openapi({ description: "Same as `token`." }),
    token_type: z.literal("Socket"),
    expires_in: z.int().openapi({ description: "Seconds." }),
    expires_at: dateTime,
    scopes: z.array(z.string()),
    url: z.string(),
    protocol: z.literal("graphql-transport-ws"),
  })
  .openapi("IssuedSocketToken");

const routes = {
  create: createRoute({
    method: "post",
    path: "/socket_tokens",
    tags: ["Tokens"],
    summary: "Mint a socket token for 600 seconds",
    description: "The token is shown only once, and expires no later than the credential that mints it.",
    security: bearer(),
    request: { body: { content: { "application/json": { schema: newSocketToken } }, required: false } },
    responses: {
      201: jsonResponse("The token", issuedSocketToken),
      ...problems("invalid_scope", 401, 403, 413, 415, 422),
    },
  }),
};

const CreateSocketToken = graphql(`
  mutation CreateSocketToken($input: CreateSocketTokenInput!) {
    createSocketToken(input: $input) {
      token
      expiresIn
      socketToken {
        uuid
        scopes
        expiresAt
      }
    }
  }
`);

/** The routes of /api/v1/socket_tokens. */
export function socketTokenRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi({ ...routes.create, middleware: guardRouteWithBody(services) }, async (c) => {
    const { scopes, single_use: singleUse } = c.req.valid("json");
    const input = omitUndefined({ scopes, singleUse });
    const { createSocketToken: made } = await execute(getCtx(c), CreateSocketToken, { input });
    return c.json(
      {
        id: made.socketToken.uuid,
        token: made.token,
        socket_token: made.token,
        token_type: "Socket" as const,
        expires_in: made.expiresIn,
        expires_at: made.socketToken.expiresAt,
        scopes: made.socketToken.scopes,
        url: `${c.get("baseUrl").replace(/^http/, "ws")}/graphql`,
        protocol: "graphql-transport-ws" as const,
      },
      201,
      { "cache-control": "no-store" },
    );
  });
  return app;
}
