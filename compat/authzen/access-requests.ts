import type { Context } from "hono";
import { z } from "zod";
import { DomainError, createFieldError, createNotFoundError } from "../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { type AuthzenEnv, answerJson, readBody } from "./authzen-app.ts";
import { answerProblem, withProblems } from "./access-request-problems.ts";
import { type FoundRequest, TaskFields, isOver, toTaskAnswer } from "./access-request-task.ts";
import { honourIdempotencyKey } from "./honour-idempotency-key.ts";

const RequestAccess = graphql(
  `
    mutation RequestAccess($input: RequestAccessInput!) {
      requested: requestAccess(input: $input) {
        approval {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const ReadAccessRequest = graphql(
  `
    query ReadAccessRequest($id: ID!, $waitSeconds: Int) {
      approval(id: $id, waitSeconds: $waitSeconds) {
        ...TaskFields
      }
    }
  `,
  [TaskFields],
);

const CancelAccessRequest = graphql(
  `
    mutation CancelAccessRequest($id: ID!) {
      cancelled: cancelApproval(input: { id: $id, isRepeatable: false }) {
        approval {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

/** How long a client waits before it asks again. */
const RETRY_SECONDS = "5";

const denial = z.object({
  evaluation_id: z.guid(),
  expires_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString()),
  // We hand out none, so it is of somebody else.
  binding_token: z.undefined().optional(),
});

/** Asks people about a denied evaluation. Several at once and callbacks are not supported. */
export const submitRequest = withProblems(async (c) => {
  const body = await readBody(c);
  const { value } = body;
  if (Object.hasOwn(value, "items") || Object.hasOwn(value, "callback")) {
    throw new DomainError("not_requestable", "items and callback are not supported: ask for one at a time.");
  }
  if (!Object.hasOwn(value, "subject")) throw createFieldError("subject", "is required");
  const bound = denial.safeParse(value["denial"]);
  if (!bound.success) {
    const message =
      "denial must have the evaluation_id and expires_at of an evaluation, and no binding_token.";
    throw new DomainError("invalid_denial_binding", message);
  }
  const { evaluation_id: evaluationUuid, expires_at: expiresAt } = bound.data;
  honourIdempotencyKey(c, body);
  const input = { requestText: body.text, evaluationUuid, expiresAt };
  const { requested } = await execute(c.get("ctx"), RequestAccess, { input });
  const answer = toTaskAnswer(c, requested.approval);
  c.header("location", answer.task.status_endpoint);
  return answerJson(c, answer, answer.task.status === "pending" ? 202 : 201);
});

/** Shows what became of an access request; with `wait`, waits while it is pending. */
export const readRequest = withProblems(async (c) => {
  const waitSeconds = readWait(c.req.query("wait"));
  const { approval } = await execute(c.get("ctx"), ReadAccessRequest, { id: readId(c), waitSeconds });
  requireOwn(c, approval);
  if (isOver(approval)) return answerProblem(c, "task_expired", "The access request ended long ago.");
  const answer = toTaskAnswer(c, approval);
  if (answer.task.status === "pending") c.header("retry-after", RETRY_SECONDS);
  return answerJson(c, answer);
});

/** Takes an access request back. A second time is an error. */
export const cancelRequest = withProblems(async (c) => {
  // A reason may be sent, and is not kept.
  if ((await c.req.arrayBuffer()).byteLength > 0) await readBody(c);
  const { cancelled } = await execute(c.get("ctx"), CancelAccessRequest, { id: readId(c) });
  return answerJson(c, toTaskAnswer(c, cancelled.approval));
});

/** @throws {DomainError} not_found. */
function readId(c: Context<AuthzenEnv>): string {
  const { data: id } = z.guid().safeParse(c.req.param("id"));
  if (id === undefined) throw createNotFoundError("access request");
  return toGlobalId("Approval", id.toLowerCase());
}

/** @throws {DomainError} not_found: with `gateway:read`, other agents' can be read elsewhere. */
function requireOwn(c: Context<AuthzenEnv>, { agent_id: agentId }: FoundRequest): void {
  const { actor } = c.get("ctx");
  if (actor.type !== "agent" || actor.id !== agentId) throw createNotFoundError("access request");
}

/** @throws {DomainError} invalid_parameter. */
function readWait(text: string | undefined): number {
  const { min, max, default: usual } = LIMITS.pollSeconds;
  if (text === undefined) return usual;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : max + 1;
  if (seconds <= max) return seconds;
  const message = `wait must be a whole number of seconds from ${min} to ${max}.`;
  throw new DomainError("invalid_parameter", message, { field: "wait" });
}
