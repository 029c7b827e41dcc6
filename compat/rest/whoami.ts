import { z } from "@hono/zod-openapi";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "./actor-shape.ts";
import { answerHashed } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded } from "./face.ts";
import { answer, bearer, notModified, problems } from "./responses.ts";
import { createRoute } from "./route.ts";
import { dateTime, lower, uuid } from "./shapes.ts";

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
    summary: "Tell whose credential this is",
    security: bearer(),
    responses: { 200: answer("The caller", whoami), 304: notModified, ...problems(400, 401, 403) },
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
  app.openapi({ ...routes.read, middleware: guarded(services) }, async (c) => {
    const { viewer, workspace } = await execute(ctxOf(c), Whoami, {});
    const { actor: by, credential, scopes } = viewer;
    return answerHashed(c, {
      actor: actorJson(by),
      workspace,
      credential: credential && { ...credential, kind: lower(credential.kind) },
      scopes,
    });
  });
  return app;
}
