import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { requireSudo } from "../../kernel/guard.ts";
import { parseInput } from "../../kernel/input.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { formatPico } from "../../prices/pico-dollars.ts";
import type { CallChange, UsageCall } from "../../usage/usage-call.ts";
import { applyCosts } from "./apply-costs.ts";
import { findNewCosts } from "./find-new-costs.ts";
import { type CallName, listCalls } from "./list-calls.ts";

const shape = z
  .object({
    from: z.date(),
    to: z.date(),
    after: z.string().nullable().default(null),
    preview: z.boolean().default(false),
  })
  .superRefine(({ from, to }, context) => {
    if (from < to) return;
    context.addIssue({ code: "custom", path: ["to"], message: "must be after from" });
  });

/** What new prices change of calls. */
export type Repricing = {
  /** How many calls were looked at, and of how many the cost changes. */
  calls: number;
  changed: number;
  /** What those were charged before, and are afterwards, in dollars. */
  fromUsd: string;
  toUsd: string;
  /** Where to go on. Null after the last call. */
  endCursor: string | null;
};

/** Calls of one transaction. */
const BATCH = 500;

/**
 * Charges calls that first came in a time what they cost at the prices as they are now, each at the time of the call.
 * What senders said that a call cost stays, and so does the cost of a call that has no price any more. The differences
 * are added where the calls are charged, and to the budgets. Looks at some calls at a time.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed.
 */
export async function repriceUsage(ctx: Ctx, input: z.input<typeof shape>): Promise<Repricing> {
  requireSudo(ctx, "admin");
  const { from, to, after, preview } = parseInput(shape, input);
  const { calls, endCursor } = await listCalls(ctx, { from, to, after, limit: LIMITS.repricedCalls });
  const changes: CallChange[] = [];
  for (const batch of splitCalls(calls)) {
    const found = await findNewCosts(ctx, batch);
    changes.push(...(preview ? found : await applyCosts(ctx, found, { from, to })));
  }
  return {
    calls: calls.length,
    changed: changes.length,
    endCursor,
    fromUsd: formatPico(sumCharged(changes.map(({ before }) => before))),
    toUsd: formatPico(sumCharged(changes.map((change) => change.after))),
  };
}

/** Each transaction locks the sessions of one sender and signal. */
function splitCalls(calls: readonly CallName[]): CallName[][] {
  const groups = groupBy(calls, ({ senderId, signal }) => `${senderId} ${signal}`);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / BATCH) }, (_, at) =>
      group.slice(at * BATCH, (at + 1) * BATCH),
    ),
  );
}

function sumCharged(calls: readonly (UsageCall | null)[]): bigint {
  return calls.reduce(
    (sum, call) => (call?.charged === true && call.countsCost ? sum + (call.costPico ?? 0n) : sum),
    0n,
  );
}
