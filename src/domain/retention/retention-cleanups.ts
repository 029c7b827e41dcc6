import { AUDIT_EVENTS_DUE, deleteAuditEvents } from "../audit/delete-audit-events.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { type BatchResult, type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";
import { deleteOldRows } from "./delete-old-rows.ts";
import { type RetentionPlaces, createRetentionPlaces } from "./retention-places.ts";
import { type RetentionRule, RETENTION_RULES } from "./retention-rules.ts";
import { type RetentionStatements, buildRetentionStatements } from "./retention-statements.ts";

type Rule = { rule: RetentionRule; statements: RetentionStatements };

const RULES: readonly Rule[] = RETENTION_RULES.map((rule) => ({
  rule,
  statements: buildRetentionStatements(rule),
}));

/**
 * Cleanups of all rows beyond retention. They remember how far they got; each process makes them once.
 * Without a signing key, nothing is deleted from the audit log.
 *
 * @param now the time for ages. Only in tests.
 */
export function createRetentionCleanups(services: Services, now: Date | null): Cleanup[] {
  const { auditSigner: signer } = services;
  const cleanups = RULES.map((one) => createRuleCleanup(services, now, one));
  if (signer === null) return cleanups;
  const audit = cleanUpWorkspaces(services, now, {
    name: "audit_event",
    actor: "audit retention",
    due: AUDIT_EVENTS_DUE,
    batch: async (ctx) => {
      const deleted = await deleteAuditEvents(ctx, signer);
      return { deleted, hasMore: deleted > 0 };
    },
  });
  return [...cleanups, audit];
}

function createRuleCleanup(services: Services, now: Date | null, one: Rule): Cleanup {
  const places = createRetentionPlaces(one.rule);
  return cleanUpWorkspaces(services, now, {
    name: one.rule.table,
    actor: "retention",
    due: one.statements.due,
    values: () => {
      const known = places.refresh();
      return [
        known.map(({ workspaceId }) => workspaceId),
        known.map(({ passed }) => passed.at),
        known.map(({ passed }) => passed.id),
      ];
    },
    batch: (ctx) => runBatch(ctx, one, places),
  });
}

async function runBatch(ctx: Ctx, one: Rule, places: RetentionPlaces): Promise<BatchResult> {
  const startMs = performance.now();
  const before = places.get(ctx.workspaceId);
  const { deleted, place, isOver } = await ctx.transaction((tx) => deleteOldRows(tx, one, before));
  const ms = performance.now() - startMs;
  return { deleted, hasMore: places.set(ctx.workspaceId, place, { deleted, ms, isOver }) };
}
