import { v7 as uuidv7 } from "uuid";
import type { Amounts } from "../budgets/budget-amount.ts";
import { type ReportedCharge, keepCharges } from "../budgets/reported-charge.ts";
import type { Transaction } from "../kernel/context.ts";
import { type CallChange, type UsageCall, isCharged } from "./usage-call.ts";

const PICO_PER_MICRO = 1_000_000n;

/** Hands the differences that changes of calls make to the budgets, each once. What is imported counts in none. */
export function reportCharges(tx: Transaction, changes: readonly CallChange[]): void {
  if (tx.ctx.actor.type === "system") return;
  const charges = new Map<string, ReportedCharge>();
  for (const { before, after } of changes) {
    if (before !== null && isCharged(before)) addCall(charges, before, -1n);
    if (isCharged(after)) addCall(charges, after, 1n);
  }
  const said = [...charges.values()].filter(saysSomething);
  if (said.length > 0) keepCharges(tx, said);
}

function addCall(charges: Map<string, ReportedCharge>, call: UsageCall, sign: 1n | -1n): void {
  const { agentId, senderId, reservationId, chargedAt: at } = call;
  const key = `${agentId} ${senderId} ${reservationId} ${at.getTime()}`;
  const charge = charges.get(key) ?? {
    id: uuidv7(),
    agentId,
    senderId,
    reservationId,
    at,
    amounts: { usd: null, tokens: null },
  };
  charges.set(key, charge);
  const { usd, tokens } = getAmounts(call);
  if (usd !== null) charge.amounts.usd = (charge.amounts.usd ?? 0n) + sign * usd;
  if (tokens !== null) charge.amounts.tokens = (charge.amounts.tokens ?? 0n) + sign * tokens;
}

/** Each call costs whole micro-dollars. */
function getAmounts({ countsCost, costPico, countsTokens, inputTokens, outputTokens }: UsageCall): Amounts {
  const hasTokens = countsTokens && (inputTokens !== null || outputTokens !== null);
  return {
    usd: countsCost && costPico !== null ? (costPico + PICO_PER_MICRO - 1n) / PICO_PER_MICRO : null,
    tokens: hasTokens ? (inputTokens ?? 0n) + (outputTokens ?? 0n) : null,
  };
}

/** A reservation is settled by nothing too. */
function saysSomething({ reservationId, amounts: { usd, tokens } }: ReportedCharge): boolean {
  return reservationId === null
    ? (usd ?? 0n) !== 0n || (tokens ?? 0n) !== 0n
    : usd !== null || tokens !== null;
}
