import { toVisibleText } from "../../ui/to-visible-text.ts";

/** What is asked for, by name: of a command its type and agent. */
export type Titled = { action: string; resourceId: string; resourceAgent: { name: string } | null };

/** An approval's title. */
export function getApprovalTitle({ action, resourceId, resourceAgent }: Titled): string {
  if (resourceAgent === null) return toVisibleText(resourceId);
  return `${toVisibleText(action)} to ${toVisibleText(resourceAgent.name)}`;
}
