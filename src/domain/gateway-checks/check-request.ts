import { z } from "zod";
import type { DecisionReason } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { createDecisionRow } from "./create-decision-row.ts";
import { decideRequest } from "./decide-request.ts";
import { readGateState } from "./gate-state.ts";
import { parseRequest } from "./parse-request.ts";
import { requireKnown } from "./require-known.ts";

const shape = z.object({ requestText: z.string() });

/** What the gateway says to a request. */
export type GatewayCheck = {
  /** The decision's id, under which it is logged. */
  id: string;
  isAllowed: boolean;
  reason: DecisionReason;
  decidedAt: Date;
  /** The policies that decided, by name. */
  policies: string[];
};

/**
 * Decides whether the calling agent may do something, or with `gateway:delegate` somebody else. A refusal is
 * stored before this returns, a permission soon after.
 *
 * @param input `requestText` is the request as JSON text: `{subject?, action, resource, context?}`.
 * @throws {DomainError} insufficient_scope without `gateway:check`, or for another subject without
 *   `gateway:delegate`; forbidden for anybody but agents; payload_too_large, invalid_body and
 *   validation_failed for the request.
 */
export async function checkRequest(ctx: Ctx, input: z.input<typeof shape>): Promise<GatewayCheck> {
  const startedMs = performance.now();
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const asked = parseRequest(parseInput(shape, input).requestText);
  const state = await readGateState(ctx, [asked], callerId);
  requireKnown(ctx, asked, { state, callerId });
  const decided = await decideRequest(ctx, state, { asked, callerId });
  const { verdict } = decided;
  const row = createDecisionRow(ctx, decided, { agentId: callerId, startedMs });
  const mustWait = verdict.outcome !== "allow" || verdict.would !== null;
  await (mustWait ? ctx.services.decisions.store(row) : ctx.services.decisions.buffer(row));
  return {
    id: row.id,
    isAllowed: verdict.outcome === "allow",
    reason: verdict.reason,
    decidedAt: new Date(row.createdAt),
    policies: verdict.decidedBy.map(({ name }) => name),
  };
}
