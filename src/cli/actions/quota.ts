import { createFieldError } from "../../domain/kernel/errors.ts";
import type { Quota, QuotaName } from "../../domain/quotas/quota.ts";
import { readQuotas } from "../../domain/quotas/read-quotas.ts";
import { setQuotas } from "../../domain/quotas/set-quotas.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import { tableLines } from "../table-lines.ts";
import type { CommandAnswer } from "../terminal.ts";

type Asked = {
  workspace: string;
  agents?: string;
  tasksPerDay?: string;
  eventsPerSecond?: string;
  storageMib?: string;
};

const MIB = 1_048_576;

/** Sets the quotas that are given, and shows all with what is used of them. */
export async function runWorkspaceQuota(
  { services }: CommandContext,
  { workspace, ...asked }: Asked,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const storage = parseLimit("storage-mib", asked.storageMib);
  await setQuotas(ctx, {
    ...toMember("agents", parseLimit("agents", asked.agents)),
    ...toMember("tasks_per_day", parseLimit("tasks-per-day", asked.tasksPerDay)),
    ...toMember("events_per_second", parseLimit("events-per-second", asked.eventsPerSecond)),
    ...toMember("storage_bytes", typeof storage === "number" ? storage * MIB : storage),
  });
  const quotas = await readQuotas(ctx);
  return {
    json: {
      workspace_id: ctx.workspaceId,
      quotas: Object.fromEntries(quotas.map(({ name, limit, used }) => [name, { limit, used }])),
    },
    lines: tableLines(["Quota", "Used", "Limit"], quotas.map(toCells)),
  };
}

function toMember(
  name: QuotaName,
  limit: number | null | undefined,
): Partial<Record<QuotaName, number | null>> {
  return limit === undefined ? {} : { [name]: limit };
}

/** @throws {DomainError} validation_failed. */
function parseLimit(option: string, value: string | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  if (value === "none") return null;
  if (!/^\d{1,15}$/.test(value)) throw createFieldError(option, "must be a whole number, or none");
  return Number(value);
}

function toCells({ name, limit, used }: Quota): string[] {
  if (name !== "storage_bytes") return [name, String(used), limit === null ? "none" : String(limit)];
  return ["storage_mib", (used / MIB).toFixed(1), limit === null ? "none" : String(limit / MIB)];
}
