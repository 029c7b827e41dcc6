import { toVisibleText } from "../../ui/to-visible-text.ts";

/** What is asked for, by name: of a command its type and agent, of a mission its title and robot. */
export type Titled = {
  action: string;
  resourceId: string;
  resourceAgent: { name: string } | null;
  missionUuid: string | null;
  missionTitle: string | null;
};

/** An approval's title. */
export function getApprovalTitle(approval: Titled): string {
  const { action, resourceId, resourceAgent, missionUuid, missionTitle } = approval;
  if (missionUuid !== null) {
    const title = missionTitle === null ? "A mission" : toVisibleText(missionTitle);
    return `${title} for ${resourceAgent === null ? "one of several robots" : toVisibleText(resourceAgent.name)}`;
  }
  if (resourceAgent === null) return toVisibleText(resourceId);
  return `${toVisibleText(action)} to ${toVisibleText(resourceAgent.name)}`;
}
