import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { answerHashed, answerIfUnchanged, buildValidators } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { leaseToken } from "../tasks/held-task.ts";
import { idParameter, buildLinkHeader, pageParameters, toPagination } from "../shared/parameters.ts";
import { IDEMPOTENT, jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import {
  anyJson,
  dateTime,
  omitUndefined,
  jsonObject,
  toWireEnum,
  nodeId,
  part,
  toGraphqlEnum,
  uuid,
  wholeNumber,
} from "../shared/shapes.ts";

const MAX_OFFSET = 100_000;
const KINDS = ["text", "question", "answer", "notice"] as const;

const message = z
  .strictObject({
    id: uuid,
    context_id: uuid,
    task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    role: z.enum(["user", "agent"]),
    sender: actor,
    recipient_agent_id: uuid.nullable(),
    kind: z.enum(KINDS),
    parts: z.array(part),
    reply_to_id: uuid.nullable(),
    expects_reply: z.boolean(),
    answered_by_id: uuid.nullable(),
    reference_task_ids: z.array(uuid),
    metadata: anyJson,
    trace_id: z.string().nullable(),
    created_at: dateTime,
  })
  .openapi("Message");

const newMessage = z
  .strictObject({
    id: uuid
      .optional()
      .openapi({ description: "An id of your choice. Sending the same id again changes nothing." }),
    context_id: uuid.nullish(),
    task_id: uuid.nullish(),
    mission_id: uuid.nullish(),
    recipient_agent_id: uuid.nullish(),
    kind: z.enum(KINDS).optional(),
    parts: z.array(part).min(1).max(LIMITS.parts),
    reply_to_id: uuid.nullish().openapi({
      description:
        "Required for an answer: the question's id. An agent can answer questions to it or to everybody, but not its own.",
    }),
    expects_reply: z.boolean().optional(),
    reference_task_ids: z.array(uuid).max(LIMITS.referenceTasks).optional(),
    metadata: jsonObject(LIMITS.metadataBytes).optional(),
    lease_token: leaseToken.nullish().openapi({
      description: "With a question about a task that you hold: pauses the task until the answer arrives.",
    }),
    input_timeout_s: wholeNumber(LIMITS.inputTimeoutSeconds)
      .nullish()
      .openapi({ description: "Seconds until the waiting task fails. Default: no limit." }),
  })
  .refine(
    ({ kind, task_id: taskId, input_timeout_s: seconds }) =>
      typeof seconds !== "number" || (kind === "question" && typeof taskId === "string"),
    { path: ["input_timeout_s"], error: "is only allowed for a question about a task" },
  )
  .openapi("NewMessage");

const routes = {
  list: createRoute({
    method: "get",
    path: "/messages",
    tags: ["Messages"],
    summary: "List messages, newest first",
    security: bearer("messages:read"),
    request: {
      query: z.object({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
        context_id: uuid.optional().openapi({ description: "Only messages of this conversation." }),
        task_id: uuid.optional().openapi({ description: "Only messages about this task." }),
        kind: z.enum(KINDS).optional().openapi({ description: "Only messages of this kind." }),
        recipient: z.literal("me").optional().openapi({ description: "Only messages addressed to you." }),
      }),
    },
    responses: {
      200: jsonResponse("A page of messages", z.strictObject({ messages: z.array(message), count: z.int() })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  send: createRoute({
    method: "post",
    path: "/messages",
    tags: ["Messages"],
    summary: "Send a message",
    security: bearer("messages:write"),
    request: { body: { content: { "application/json": { schema: newMessage } }, required: true } },
    responses: {
      200: jsonResponse("The message, already sent with this id", z.strictObject({ message })),
      201: jsonResponse("The message", z.strictObject({ message })),
      ...problems(
        ...IDEMPOTENT,
        401,
        403,
        "quota_exceeded",
        "invalid_state",
        "lease_lost",
        "id_conflict",
        413,
        415,
        422,
      ),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/messages/{id}",
    tags: ["Messages"],
    summary: "Read a message",
    security: bearer("messages:read"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The message", z.strictObject({ message })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const MessageFields = graphql(
  `
    fragment MessageFields on Message {
      id: uuid
      context_id: contextId
      task_id: taskUuid
      mission_id: missionUuid
      role
      sender {
        ...ActorFields
      }
      recipient_agent_id: recipientAgentUuid
      kind
      parts
      reply_to_id: replyToUuid
      expects_reply: expectsReply
      answered_by_id: answeredByUuid
      reference_task_ids: referenceTaskUuids
      metadata
      trace_id: traceId
      created_at: createdAt
    }
  `,
  [ActorFields],
);

const ListMessages = graphql(
  `
    query ListMessages($limit: Int!, $offset: Int!, $filter: MessageFilter) {
      messages(first: $limit, offset: $offset, filter: $filter) {
        version
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...MessageFields
        }
      }
    }
  `,
  [MessageFields],
);

const ReadMessage = graphql(
  `
    query ReadMessage($id: ID!) {
      message(id: $id) {
        ...MessageFields
      }
    }
  `,
  [MessageFields],
);

const SendMessage = graphql(
  `
    mutation SendMessage($input: SendMessageInput!) {
      sendMessage(input: $input) {
        created
        message {
          ...MessageFields
        }
      }
    }
  `,
  [MessageFields],
);

/** The routes of /api/v1/messages. */
export function messageRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "messages:read" });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const same = await answerIfUnchanged(c, services.build, { of: "MESSAGES" });
    if (same !== null) return same;
    const { limit, offset, ...filters } = c.req.valid("query");
    const filter = messageFilter(filters);
    const { messages } = await execute(getCtx(c), ListMessages, { limit, offset, filter });
    const found = messages.nodes.map(messageJson);
    const { totalCount: total, pageInfo } = messages;
    const hasMore = pageInfo.hasNextPage;
    const place = toPagination({ limit, offset, count: found.length, total, hasMore }, MAX_OFFSET);
    const headers = {
      ...buildValidators(c, services.build, messages.version),
      link: buildLinkHeader(c.req.url, place, filters),
    };
    return c.json({ messages: found, count: found.length }, 200, headers);
  });
  const write = guardRouteWithBody(services, { scope: "messages:write", idempotent: true });
  app.openapi({ ...routes.send, middleware: write }, async (c) => {
    const { sendMessage } = await execute(getCtx(c), SendMessage, {
      input: messageInput(c.req.valid("json")),
    });
    const sent = messageJson(sendMessage.message);
    if (!sendMessage.created) return c.json({ message: sent }, 200);
    return c.json({ message: sent }, 201, { location: `/api/v1/messages/${sent.id}` });
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Message", c.req.valid("param").id.toLowerCase());
    const { message: found } = await execute(getCtx(c), ReadMessage, { id });
    return answerHashed(c, { message: messageJson(found) });
  });
  return app;
}

function messageInput(body: z.output<typeof newMessage>) {
  return omitUndefined({
    uuid: body.id,
    contextId: body.context_id,
    taskId: nodeId("Task", body.task_id),
    missionId: nodeId("Mission", body.mission_id),
    recipientAgentId: nodeId("Agent", body.recipient_agent_id),
    kind: body.kind === undefined ? undefined : toGraphqlEnum(body.kind),
    parts: body.parts,
    replyToId: nodeId("Message", body.reply_to_id),
    expectsReply: body.expects_reply,
    referenceTaskIds: body.reference_task_ids?.map((id) => toGlobalId("Task", id.toLowerCase())),
    metadata: body.metadata,
    leaseToken: body.lease_token,
    inputTimeoutSeconds: body.input_timeout_s,
  });
}

type MessageFilters = Pick<
  z.output<typeof routes.list.request.query>,
  "context_id" | "task_id" | "kind" | "recipient"
>;

function messageFilter({ context_id: contextId, task_id: taskId, kind, recipient }: MessageFilters) {
  return omitUndefined({
    contextId,
    taskId: taskId === undefined ? undefined : nodeId("Task", taskId),
    kind: kind === undefined ? undefined : toGraphqlEnum(kind),
    toMe: recipient === undefined ? undefined : true,
  });
}

function messageJson(row: ResultOf<typeof MessageFields>) {
  const { role, kind, sender } = row;
  return {
    ...row,
    role: toWireEnum(role),
    kind: toWireEnum(kind),
    sender: actorJson(sender),
  };
}
