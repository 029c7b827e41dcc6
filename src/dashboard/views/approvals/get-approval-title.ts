import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { toVisibleText } from "../../ui/to-visible-text.ts";

/** What names an approval, and who asks. */
export const ApprovalTitle = graphql(`
  fragment ApprovalTitle on Approval {
    action
    resourceId
    resourceAgent {
      id
      name
    }
    agentUuid
    agent {
      id
      name
    }
    subject
    missionUuid
    missionTitle
  }
`);

type Titled = Pick<
  ResultOf<typeof ApprovalTitle>,
  "action" | "resourceId" | "missionUuid" | "missionTitle"
> & { resourceAgent: { name: string } | null };

/** An approval's title: of a command its type and agent, of a mission its title and robot. */
export function getApprovalTitle(approval: Titled): string {
  const { action, resourceId, resourceAgent, missionUuid, missionTitle } = approval;
  if (missionUuid !== null) {
    const title = missionTitle === null ? "A mission" : toVisibleText(missionTitle);
    return `${title} for ${resourceAgent === null ? "one of several robots" : toVisibleText(resourceAgent.name)}`;
  }
  if (resourceAgent === null) return toVisibleText(resourceId);
  return `${toVisibleText(action)} to ${toVisibleText(resourceAgent.name)}`;
}
