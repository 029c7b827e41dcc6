import { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import type { Workspace } from "../../db/generated/client.ts";
import { CaptureContent, DecisionDurability, DecisionLogMode, HookAllow } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole, requireSudo } from "../kernel/guard.ts";
import { parseInput, nameInEmails, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { RETENTION_DAYS } from "../kernel/retention-days.ts";
import { findSessionsWithoutFactor } from "./find-sessions-without-factor.ts";
import { lockWorkspace } from "./lock-workspace.ts";

const shape = z.object({
  name: nameInEmails(LIMITS.nameLength).exactOptional(),
  eventRetentionDays: wholeNumber(RETENTION_DAYS.eventRetentionDays).exactOptional(),
  messageRetentionDays: wholeNumber(RETENTION_DAYS.messageRetentionDays).exactOptional(),
  taskRetentionDays: wholeNumber(RETENTION_DAYS.taskRetentionDays).exactOptional(),
  agentCommandRetentionDays: wholeNumber(RETENTION_DAYS.agentCommandRetentionDays).exactOptional(),
  missionRetentionDays: wholeNumber(RETENTION_DAYS.missionRetentionDays).exactOptional(),
  evalRunRetentionDays: wholeNumber(RETENTION_DAYS.evalRunRetentionDays).exactOptional(),
  budgetRetentionDays: wholeNumber(RETENTION_DAYS.budgetRetentionDays).exactOptional(),
  decisionRetentionDays: wholeNumber(RETENTION_DAYS.decisionRetentionDays).exactOptional(),
  traceRetentionDays: wholeNumber(RETENTION_DAYS.traceRetentionDays).exactOptional(),
  contentRetentionDays: wholeNumber(RETENTION_DAYS.contentRetentionDays).exactOptional(),
  approvalRetentionDays: wholeNumber(RETENTION_DAYS.approvalRetentionDays).exactOptional(),
  mcpCallRetentionDays: wholeNumber(RETENTION_DAYS.mcpCallRetentionDays).exactOptional(),
  webhookDeliveryRetentionDays: wholeNumber(RETENTION_DAYS.webhookDeliveryRetentionDays).exactOptional(),
  auditRetentionDays: wholeNumber(RETENTION_DAYS.auditRetentionDays).nullable().exactOptional(),
  revokesKeysOfSuspendedCreator: z.boolean().exactOptional(),
  requireMfa: z.boolean().exactOptional(),
  hookAllow: z.enum(HookAllow).exactOptional(),
  decisionLog: z.enum(DecisionLogMode).exactOptional(),
  decisionDurability: z.enum(DecisionDurability).exactOptional(),
  captureContent: z.enum(CaptureContent).exactOptional(),
  auditContentReads: z.boolean().exactOptional(),
  spansPerDay: wholeNumber(LIMITS.spansPerDay).exactOptional(),
});

type Settings = z.output<typeof shape>;

const FOR_OWNERS = ["revokesKeysOfSuspendedCreator", "requireMfa"] as const;

const SETTINGS = shape.keyof().options;

/**
 * Updates settings of the workspace. Fields that are left out don't change. Only owners may change whether
 * a suspension revokes the keys that the person created, and whether people need a second factor. Null keeps the
 * audit log for ever; a number of days needs a signing key.
 *
 * @throws {DomainError} forbidden below admin, and below owner with the settings for owners; sudo_required;
 *   validation_failed; invalid_state if the caller would need a second factor and has none.
 */
export async function updateWorkspace(ctx: Ctx, input: z.input<typeof shape>): Promise<Workspace> {
  requireSudo(ctx, "admin");
  const asked = parseInput(shape, input);
  if (FOR_OWNERS.some((name) => asked[name] !== undefined)) requireRole(ctx, "owner");
  return ctx.transaction(async (tx) => {
    const before = await lockWorkspace(tx);
    const changes = getChanges(before, asked);
    if (Object.keys(changes).length === 0) return before;
    if (RETENTION_DAYS.auditRetentionDays.column in changes) requireSigner(ctx, asked);
    const after = await tx.db.workspace.update({
      where: { id: ctx.workspaceId },
      data: {
        ...asked,
        generation: before.generation + 1,
        updatedAt: await tx.now(),
      },
    });
    const isTurnedOn = after.requireMfa && !before.requireMfa;
    const subject = { subjectType: "workspace", subjectId: after.id };
    append(tx, {
      events: [{ type: "workspace.updated", ...subject, data: { generation: after.generation } }],
      audit: [{ action: "workspace.updated", targetType: "workspace", targetId: after.id, changes }],
      revocations: isTurnedOn ? await findSessionsWithoutFactor(tx) : [],
    });
    return after;
  });
}

function requireSigner({ services }: Ctx, { auditRetentionDays: days }: Settings): void {
  if (services.auditSigner !== null || days === null) return;
  throw createFieldError(
    "auditRetentionDays",
    "requires a server that signs the audit log: set AUDIT_KEY there, then try again",
  );
}

/** Returns the changes by their names in the audit log. */
function getChanges(before: Workspace, asked: Settings): Record<string, { from: unknown; to: unknown }> {
  const names = SETTINGS.filter((name) => asked[name] !== undefined && asked[name] !== before[name]);
  return Object.fromEntries(
    names.map((name) => [toColumnName(name), { from: before[name], to: asked[name] }]),
  );
}
