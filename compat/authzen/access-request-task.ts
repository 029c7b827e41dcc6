import type { ResultOf } from "gql.tada";
import type { Context } from "hono";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { AuthzenEnv } from "./authzen-app.ts";

/** What an access request shows of its approval. */
export const TaskFields = graphql(`
  fragment TaskFields on Approval {
    id: uuid
    status
    agent_id: agentUuid
    expires_at: expiresAt
    decided_at: decidedAt
    approved_until: approvedUntil
    revoked_at: revokedAt
  }
`);

export type FoundRequest = ResultOf<typeof TaskFields>;

type TaskStatus = "pending" | "approved" | "denied" | "expired" | "cancelled";

/** An access request, and what it gave. */
export type TaskAnswer = {
  task: {
    id: string;
    status: TaskStatus;
    status_endpoint: string;
    expires_at: string;
    links?: { cancel: string };
  };
  result?: {
    mode: "reevaluate";
    approval: { id: string; approved_at: string | null; approved_until: string };
  };
};

/** Converts an approval to an access request. Its end is when it can't be decided, or shown, any more. */
export function toTaskAnswer(c: Context<AuthzenEnv>, found: FoundRequest): TaskAnswer {
  const { id, expires_at, decided_at: approved_at } = found;
  const status = getStatus(found);
  const endpoint = `${c.get("baseUrl")}/access/v1/requests/${id}`;
  const isPending = status === "pending";
  const approved_until = getApprovedUntil(found);
  return {
    task: {
      id,
      status,
      status_endpoint: endpoint,
      expires_at: isPending ? expires_at : getShownUntil(found).toISOString(),
      ...(isPending && { links: { cancel: `${endpoint}/cancel` } }),
    },
    ...(status === "approved" &&
      approved_until !== null && {
        result: { mode: "reevaluate", approval: { id, approved_at, approved_until } },
      }),
  };
}

/** Whether an access request ended so long ago that it is not shown any more. */
export function isOver(found: FoundRequest): boolean {
  return getStatus(found) !== "pending" && getShownUntil(found) <= new Date();
}

function getStatus({ status, expires_at: expiresAt }: FoundRequest): TaskStatus {
  // The sweep marks it soon.
  if (status === "PENDING") return new Date(expiresAt) <= new Date() ? "expired" : "pending";
  return STATUSES[status];
}

const STATUSES = {
  APPROVED: "approved",
  DENIED: "denied",
  EXPIRED: "expired",
  CANCELLED: "cancelled",
} as const;

function getApprovedUntil({ approved_until: until, revoked_at: revokedAt }: FoundRequest): string | null {
  return revokedAt ?? until;
}

function getShownUntil(found: FoundRequest): Date {
  const ends = [found.decided_at ?? found.expires_at, getApprovedUntil(found) ?? found.expires_at];
  const last = Math.max(...ends.map((time) => new Date(time).getTime()));
  return new Date(last + LIMITS.endedRequestHours * 3_600_000);
}
