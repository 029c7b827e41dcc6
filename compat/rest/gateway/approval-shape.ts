import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { ActorFields, actor, actorJson } from "../shared/actor-shape.ts";
import { anyJson, dateTime, toWireEnum, uuid } from "../shared/shapes.ts";
import { requestSubject, toSubject } from "./request-subject.ts";

export const APPROVAL_STATUSES = ["pending", "approved", "denied", "expired", "cancelled"] as const;

const review = z
  .strictObject({
    by: actor,
    verdict: z.enum(["approve", "deny"]),
    comment: z.string().nullable(),
    current: z
      .boolean()
      .openapi({ description: "Whether it is about the current arguments. Others don't count." }),
    created_at: dateTime,
  })
  .openapi("ApprovalReview");

export const approval = z
  .strictObject({
    id: uuid,
    status: z.enum(APPROVAL_STATUSES),
    decision_id: uuid,
    agent_id: uuid.nullable().openapi({ description: "The agent that asked. Null for a person." }),
    subject: requestSubject,
    action: z.string(),
    resource: z.strictObject({ type: z.string(), id: z.string() }),
    request: anyJson.openapi({ description: "As it was asked, without secrets." }),
    hidden_values: z.int().openapi({ description: "How many of its values are hidden as secrets." }),
    request_hash: z.string().openapi({
      description:
        "SHA-256, in hex, of what is asked for now. Send it with an answer, to decide what you saw.",
    }),
    edited_arguments: anyJson.openapi({ description: "In the place of the agent's. Null without changes." }),
    policies: z.array(z.string()).openapi({ description: "The names of the policies that ask." }),
    role: z.enum(["operator", "admin", "owner", "viewer"]).openapi({
      description: "The least role of those who decide.",
    }),
    persons: z.int().openapi({ description: "How many people must approve." }),
    reviews: z.array(review),
    comment: z.string().nullable().openapi({ description: "Why a person denied or revoked it." }),
    scope: z.enum(["exact", "tool"]),
    uses: z.int(),
    used_count: z.int(),
    can_edit: z.boolean(),
    expires_at: dateTime.openapi({ description: "Until when people can decide." }),
    decided_at: dateTime.nullable(),
    approved_until: dateTime.nullable(),
    revoked_at: dateTime.nullable(),
    task_id: uuid.nullable(),
    command_id: uuid.nullable().openapi({ description: "The command that waits for it." }),
    mission_id: uuid.nullable().openapi({ description: "The mission that waits for it." }),
    trace_id: z.string().nullable(),
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .openapi("Approval");

export const ApprovalFields = graphql(
  `
    fragment ApprovalFields on Approval {
      id: uuid
      status
      decision_id: decisionUuid
      agent_id: agentUuid
      subject
      action
      resourceType
      resourceId
      request
      hidden_values: hiddenValues
      request_hash: requestHash
      edited_arguments: editedArguments
      policies {
        name
      }
      role
      persons
      reviews {
        by {
          ...ActorFields
        }
        verdict
        comment
        current
        created_at: createdAt
      }
      comment
      scope
      uses
      used_count: usedCount
      can_edit: canEdit
      expires_at: expiresAt
      decided_at: decidedAt
      approved_until: approvedUntil
      revoked_at: revokedAt
      task_id: taskUuid
      command_id: commandUuid
      mission_id: missionUuid
      trace_id: traceId
      generation
      created_at: createdAt
      updated_at: updatedAt
    }
  `,
  [ActorFields],
);

/** Converts an approval to the REST shape. */
export function approvalJson(found: ResultOf<typeof ApprovalFields>) {
  const { status, resourceType: type, resourceId: id, policies, role, reviews, scope, ...rest } = found;
  return {
    ...rest,
    subject: toSubject(rest.subject),
    status: toWireEnum(status),
    role: toWireEnum(role),
    scope: toWireEnum(scope),
    resource: { type, id },
    policies: policies.map(({ name }) => name),
    reviews: reviews.map(({ by, verdict, ...said }) => ({
      ...said,
      by: actorJson(by),
      verdict: toWireEnum(verdict),
    })),
  };
}
