import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { answerHashed } from "../shared/conditional.ts";
import { type RestApp, type RestServices, createRestApp, getCtx, guardRoute } from "../shared/rest-app.ts";
import { jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

const whoami = z
  .strictObject({
    actor,
    workspace: z.strictObject({ id: uuid, name: z.string() }),
    credential: z
      .strictObject({
        id: uuid,
        kind: z.enum(["api_key", "agent_token", "socket_token"]),
        expires_at: dateTime.nullable(),
      })
      .nullable(),
    scopes: z.array(z.string()),
  })
  .openapi("Whoami");

const routes = {
  read: createRoute({
    method: "get",
    path: "/whoami",
    tags: ["Tokens"],
    summary: "Read the caller's identity and scopes",
    security: bearer(),
    responses: { 200: jsonResponse("The caller", whoami), 304: notModified, ...problems(400, 401, 403) },
  }),
};

const Whoami = graphql(
  `
    query Whoami {
      viewer {
        actor {
          ...ActorFields
        }
        scopes
        credential {
          id: uuid
          kind
          expires_at: expiresAt
        }
      }
      workspace {
        id: uuid
        name
      }
    }
  `,
  [ActorFields],
);

/** The routes of /api/v1/whoami. */
export function whoamiRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi({ ...routes.read, middleware: guardRoute(services) }, async (c) => {
    const { viewer, workspace } = await execute(getCtx(c), Whoami, {});
    const { actor: by, credential, scopes } = viewer;
    return answerHashed(c, {
      actor: actorJson(by),
      workspace,
      credential: credential && { ...credential, kind: toWireEnum(credential.kind) },
      scopes,
    });
  });
  return app;
}
