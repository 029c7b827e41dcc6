import type { Ctx } from "../../src/domain/kernel/context.ts";
import { READ_CALLS, toUsageCall } from "../../src/domain/usage/call-statements.ts";
import { chargeCalls } from "../../src/domain/usage/charge-calls.ts";
import type { UsageCall } from "../../src/domain/usage/usage-call.ts";

const CALL = { traceId: "00000000-0000-4000-8000-000000000001", callKey: "req_1" };

/** Charges one call of a conversation as the log of a coding agent says it, the same one each time. */
export async function chargeLoggedCall(
  ctx: Ctx,
  { senderId, sessionKey }: { senderId: string; sessionKey: string },
): Promise<void> {
  const signal = "agent_log";
  const after: UsageCall = {
    ...{ ...CALL, signal, senderId, sessionKey, agentId: senderId, taskId: null, reservationId: null },
    ...{ parentKey: null, op: "llm", role: "leaf", model: "logged", cacheReadTokens: null },
    ...{ inputTokens: 7n, cacheWriteTokens: null, outputTokens: 3n, costPico: 500_000_000_000n },
    ...{ costSource: "sent", isTwin: false, withinSum: false, withinSentSum: false },
    ...{
      countsTokens: true,
      countsCost: true,
      charged: false,
      isOtherModel: false,
      chargedAt: new Date(0),
    },
  };
  await ctx.transaction((tx) =>
    chargeCalls(tx, {
      ...{ senderId, signal, sessionKeys: [sessionKey] },
      revise: async () => {
        const key = [ctx.workspaceId, senderId, signal];
        const [row] = await tx.run(READ_CALLS, [...key, [CALL.traceId], [CALL.callKey], []]);
        const before = row === undefined ? null : toUsageCall(row);
        return [{ before, after: { ...after, chargedAt: before?.chargedAt ?? (await tx.now()) } }];
      },
    }),
  );
}
