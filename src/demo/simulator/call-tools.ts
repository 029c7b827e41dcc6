import type { Approval } from "../../db/generated/client.ts";
import { settleReservation } from "../../domain/budgets/settle-reservation.ts";
import { completeExecution } from "../../domain/executions/complete-execution.ts";
import { checkRequest } from "../../domain/gateway-checks/check-request.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireAgent } from "../../domain/kernel/guard.ts";
import { callShop, findShopTool } from "./call-shop.ts";
import { type Random, createRandom } from "../random.ts";
import { type ToolCall, pickToolCall } from "../scenarios/tool-calls.ts";

/** How likely an agent calls a tool in a tick. */
const CALLS = 0.35;
/** No agent asks people as long as so many approvals are pending. */
const MOST_PENDING = 4;
const TOKENS = [200, 900] as const;

/** How many approvals are pending, and what people have approved. */
export type ApprovalDesk = { pending: number; approved: readonly Approval[] };

export async function readApprovalDesk(ctx: Ctx): Promise<ApprovalDesk> {
  const [pending, approved] = await Promise.all([
    ctx.db.approval.count({ where: { status: "pending" } }),
    ctx.db.approval.findMany({
      where: { status: "approved", revokedAt: null, usedCount: 0, approvedUntil: { gt: new Date() } },
      take: 20,
    }),
  ]);
  return { pending, approved };
}

/** Lets an agent do what people approved for it, and sometimes something else. */
export async function callTools(
  agent: Ctx,
  { handle, desk, at }: { handle: string; desk: ApprovalDesk; at: Date },
): Promise<void> {
  const random = createRandom(`tools ${handle} ${at.toISOString()}`);
  const { id } = requireAgent(agent);
  for (const { agentId, request } of desk.approved) {
    // The same request as before, as the gateway stored it.
    if (agentId === id) await callTool(agent, request as AskedRequest, random);
  }
  const call = random.chance(CALLS) ? pickToolCall(handle, random) : null;
  if (call === null || (call.isAsked && desk.pending >= MOST_PENDING)) return;
  if (call.isAsked) desk.pending++;
  await callTool(agent, toRequest(call), random);
}

/** What the gateway is asked. */
type AskedRequest = {
  action: { name: string; properties?: { arguments?: unknown } };
  resource: { type: string; id: string };
};

function toRequest({ tool, arguments: args, usd }: ToolCall): AskedRequest & { context: object } {
  return {
    action: { name: "tools/call", properties: { arguments: args } },
    resource: { type: "tool", id: tool },
    context: usd === null ? {} : { estimate: { usd: String(usd) } },
  };
}

/** Calls the shop for real, and asks the gateway about all others. */
async function callTool(agent: Ctx, request: AskedRequest, random: Random): Promise<void> {
  const shopTool = findShopTool(request.resource.id);
  if (shopTool === null) return pretend(agent, request, random);
  // It may wait for people, longer than a tick.
  callShop(agent, shopTool, request.action.properties?.arguments).catch((error: unknown) => {
    agent.services.log.debug({ err: error }, "a call of the demo's shop failed");
  });
}

/** Asks the gateway. If it is allowed, tells what was used and how it ended, as if the tool had been called. */
async function pretend(agent: Ctx, request: AskedRequest, random: Random): Promise<void> {
  const { execution, reservation } = await checkRequest(agent, {
    requestText: JSON.stringify(request),
    acceptEdits: true,
  });
  if (reservation !== null) {
    await settleReservation(agent, {
      id: reservation.id,
      amounts: { tokens: String(random.whole(...TOKENS)) },
    });
  }
  if (execution === null) return;
  await completeExecution(agent, { id: execution.id, fence: Number(execution.fence), result: { ok: true } });
}
