import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { dateTime, toWireEnum, uuid } from "../shared/shapes.ts";
import { requestSubject, toSubject } from "./request-subject.ts";

export const OUTCOMES = ["allow", "deny", "ask"] as const;

const outcome = z.enum(OUTCOMES);
const mode = z.enum(["enforce", "monitor"]);
const reason = z.string().openapi({ example: "policy_deny" });

const decisionPolicy = z
  .strictObject({
    id: uuid,
    generation: z.int(),
    name: z.string(),
    effect: outcome,
    mode,
    error: z.string().nullable().openapi({ description: "Why its condition could not be evaluated." }),
    decided: z.boolean().openapi({ description: "Whether it made the outcome." }),
  })
  .openapi("DecisionPolicy", { description: "A policy that applied, as it was then." });

export const decision = z
  .strictObject({
    id: uuid,
    agent_id: uuid.nullable().openapi({ description: "The agent that asked. Null for a person." }),
    subject: requestSubject,
    action: z.string(),
    resource: z.strictObject({ type: z.string(), id: z.string() }),
    outcome,
    reason,
    policies: z.array(decisionPolicy),
    would: outcome.nullable().openapi({
      description: "The outcome if monitored policies counted, where it is another one.",
    }),
    request: z.unknown().openapi({
      description: "The request without secrets. Null if it has more than 16 KiB.",
    }),
    request_hash: z.string(),
    task_id: uuid.nullable(),
    trace_id: z.string().nullable(),
    request_id: z.string().nullable(),
    latency_us: z.int(),
    created_at: dateTime,
  })
  .openapi("Decision", { description: "What the gateway decided about one request." });

export const DecisionFields = graphql(`
  fragment DecisionFields on Decision {
    id: uuid
    agent_id: agentUuid
    subject
    action
    resourceType
    resourceId
    outcome
    reason
    policies {
      id: uuid
      generation
      name
      effect
      mode
      error
      decided
    }
    would
    request
    request_hash: requestHash
    task_id: taskUuid
    trace_id: traceId
    request_id: requestId
    latency_us: latencyMicroseconds
    created_at: createdAt
  }
`);

/** Converts a decision to the REST shape. */
export function decisionJson(node: ResultOf<typeof DecisionFields>) {
  const { resourceType, resourceId, ...fields } = node;
  return {
    ...fields,
    subject: toSubject(fields.subject),
    resource: { type: resourceType, id: resourceId },
    outcome: toWireEnum(fields.outcome),
    reason: toWireEnum(fields.reason),
    would: fields.would && toWireEnum(fields.would),
    policies: fields.policies.map(({ effect, mode: one, ...policy }) => ({
      ...policy,
      effect: toWireEnum(effect),
      mode: toWireEnum(one),
    })),
  };
}
