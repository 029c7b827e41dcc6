import type { Approval } from "../../db/generated/client.ts";
import { followCommands } from "../agent-commands/follow-commands.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { followMissions } from "../missions/follow-missions.ts";
import { followTasks } from "../tasks/follow-tasks.ts";
import { toOrderAnswer } from "./order-answer.ts";

/**
 * Does what people said with the commands and missions that wait for it: an approved one goes its way, with the
 * arguments that an approver put in place; any other ends. Tasks go on whatever was said. The approvals are locked
 * before, and for one that is approved the workspace and the agents that it is for, too.
 *
 * @param comment why it was denied.
 * @returns what the transaction must append.
 */
export async function followApprovals(
  tx: Transaction,
  approvals: readonly Approval[],
  comment: string | null = null,
): Promise<Required<Pick<AppendContent, "events" | "totals">>> {
  const commands = approvals.flatMap((one) => toOrderAnswer(one, one.commandId, comment));
  const missions = approvals.flatMap((one) => toOrderAnswer(one, one.missionId, comment));
  return mergeAppends(
    await followCommands(tx, commands),
    await followMissions(tx, missions),
    await followTasks(tx, approvals),
  );
}
