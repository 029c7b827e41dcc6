import type { Ctx } from "../kernel/context.ts";
import { type Steps, createTurns } from "../kernel/turns.ts";
import { parsePico } from "../prices/pico-dollars.ts";
import { type ChargedLog, chargeLogs } from "../usage/charge-logs.ts";
import { attributeAgents } from "./attribute-agents.ts";
import { countSpans } from "./count-spans.ts";
import { findCauses } from "./find-causes.ts";
import { hashId } from "./hash-id.ts";
import { findSpanCost } from "./span-cost.ts";
import type { LoggedCall } from "./telemetry.ts";

/** Calls of one transaction. */
const BATCH = 500;
const SIGNALS = ["agent_log", "log"] as const;

/** Workspaces take turns: a model's price that was never looked up takes long to find. */
const { run: takeTurn } = createTurns();

/** Charges calls as logs say them, some in each transaction, as if they had been sent apart. */
export async function chargeLoggedCalls(
  ctx: Ctx,
  calls: readonly LoggedCall[],
  senderId: string,
): Promise<void> {
  const prices = await ctx.services.prices.get(ctx.workspaceId, ctx.read);
  const findAgent = await attributeAgents(ctx, calls, senderId);
  const findCause = await findCauses(ctx, calls);

  function price(call: LoggedCall): ChargedLog {
    const { tokens } = call.usage;
    const { costUsd, costSource } = findSpanCost(prices, call);
    return {
      traceId: call.traceId,
      sessionKey: call.sessionKey,
      model: call.model,
      // Nobody writes to another sender's call.
      callKey: hashId(`${senderId} ${call.sessionKey} ${call.key}`),
      agentId: findAgent(call),
      taskId: findCause(call).taskId,
      reservationId: call.causes.reservationId,
      inputTokens: tokens.input,
      cacheReadTokens: tokens.cacheRead,
      cacheWriteTokens: tokens.cacheWrite,
      outputTokens: tokens.output,
      costPico: costUsd === null ? null : parsePico(costUsd),
      costSource: costSource ?? "none",
    };
  }

  function* priceAll(said: readonly LoggedCall[]): Steps<ChargedLog[]> {
    const charged: ChargedLog[] = [];
    for (const call of said) {
      charged.push(price(call));
      yield;
    }
    return charged;
  }

  for (const signal of SIGNALS) {
    const said = calls.filter((call) => call.signal === signal);
    for (let start = 0; start < said.length; start += BATCH) {
      const charged = await takeTurn(ctx.workspaceId, priceAll(said.slice(start, start + BATCH)));
      await ctx.transaction(async (tx) =>
        countSpans(tx, await chargeLogs(tx, { senderId, signal, calls: charged })),
      );
    }
  }
}
