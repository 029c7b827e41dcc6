import type { MissionTemplate } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** The name of a template, unique in the workspace. */
export const templateName = text(LIMITS.nameLength);

type Change = {
  template: Pick<MissionTemplate, "id" | "name" | "generation">;
  changes: Record<string, unknown>;
};

/** Appends the event and the audit row of a change. */
export function appendTemplateChange(
  tx: Transaction,
  what: "created" | "updated" | "deleted",
  { template: { id, name, generation }, changes }: Change,
): void {
  const type = `mission_template.${what}`;
  append(tx, {
    events: [{ type, subjectType: "mission_template", subjectId: id, data: { name, generation } }],
    audit: [{ action: type, targetType: "mission_template", targetId: id, changes: { name, ...changes } }],
  });
}
