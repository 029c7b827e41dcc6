import type { ResultOf } from "gql.tada";
import { z } from "zod";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError, createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import { requireAgent } from "../../../src/domain/kernel/guard.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import type { DeferredCall } from "../deferred-call.ts";
import { toToolResult } from "../tool-result.ts";
import { dateTime, uuid } from "./shapes.ts";
import { waitInTurns } from "./wait-in-turns.ts";

const STATUSES = {
  PENDING: "pending",
  APPROVED: "approved",
  DENIED: "denied",
  EXPIRED: "expired",
  CANCELLED: "cancelled",
} as const;

/** An approval, as the agent that asked for it sees it. */
export const approval = z.object({
  approval_id: uuid,
  status: z.enum(STATUSES),
  approved_until: dateTime.nullable().describe("Until when it can be used."),
  comment: z.string().nullable().describe("Why a person said no."),
  url: z.url().describe("Where people decide, once they have logged in."),
});

export const ApprovalFields = graphql(`
  fragment AskedApprovalFields on Approval {
    id: uuid
    agentUuid
    status
    approvedUntil
    comment
    createdAt
    decidedAt
  }
`);

export type ApprovalRow = ResultOf<typeof ApprovalFields>;

const ReadApproval = graphql(
  `
    query ReadAskedApproval($id: ID!, $waitSeconds: Int) {
      approval(id: $id, waitSeconds: $waitSeconds) {
        ...AskedApprovalFields
      }
    }
  `,
  [ApprovalFields],
);

/**
 * Reads an approval that the caller asked for, once people have decided or the time is over.
 *
 * @throws {DomainError} not_found, also for one of another agent.
 */
export async function readApproval(ctx: Ctx, id: string, seconds: number): Promise<ApprovalRow> {
  const approvalId = toGlobalId("Approval", id.toLowerCase());
  const { approval: found } = await waitInTurns(ctx, seconds, {
    poll: (waitSeconds) => execute(ctx, ReadApproval, { id: approvalId, waitSeconds }),
    isOver: (read) => read.approval.status !== "PENDING",
  });
  if (found.agentUuid === requireAgent(ctx).id) return found;
  throw createNotFoundError("approval");
}

const CancelApproval = graphql(`
  mutation CancelAskedApproval($id: ID!) {
    cancelApproval(input: { id: $id }) {
      approval {
        id
      }
    }
  }
`);

/**
 * Withdraws an approval that the caller asked for. One that is decided stays as it is.
 *
 * @throws {DomainError} not_found, also for one of another agent.
 */
export async function cancelApproval(ctx: Ctx, id: string): Promise<void> {
  try {
    await execute(ctx, CancelApproval, { id: toGlobalId("Approval", id) });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "invalid_state")) throw error;
  }
}

export function approvalJson(row: ApprovalRow, baseUrl: string): z.output<typeof approval> {
  return {
    approval_id: row.id,
    status: STATUSES[row.status],
    approved_until: row.approvedUntil,
    comment: row.comment,
    url: `${baseUrl}/approvals/${row.id}`,
  };
}

/** A call that asked for the approval, and is answered with it. */
export function deferApproval(row: ApprovalRow, baseUrl: string): DeferredCall {
  const answer = approvalJson(row, baseUrl);
  return {
    id: `a_${row.id}`,
    status: toCallStatus(answer.status),
    message: `People have to decide: ${answer.url}`,
    createdAt: row.createdAt,
    updatedAt: row.decidedAt ?? row.createdAt,
    result: toToolResult(answer),
  };
}

function toCallStatus(status: z.output<typeof approval>["status"]): DeferredCall["status"] {
  if (status === "pending") return "working";
  return status === "cancelled" ? "cancelled" : "completed";
}
