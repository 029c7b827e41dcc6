import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";

/** Appends rows to a workspace's audit log, in one transaction. */
export async function appendAuditRows(ctx: Ctx, count: number, action = "test.acted"): Promise<void> {
  const targetId = crypto.randomUUID();
  const audit = Array.from({ length: count }, (_, number) => ({
    ...{ action, targetType: "test", targetId },
    changes: { number, text: 'ü "quoted" \u2028', nested: { b: [1, 2.5, null], a: true } },
  }));
  await ctx.transaction(async (tx) => append(tx, { events: [], audit }));
}
