import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { getServerKey } from "../../data/use-waiting-keys.ts";
import { toVisibleText } from "../../ui/to-visible-text.ts";
import { ApprovalTitle, getApprovalTitle } from "../approvals/get-approval-title.ts";
import { toMessageText } from "../conversations/thread/to-message-text.ts";
import { getAskerName } from "../decisions/get-asker-name.ts";
import { describeWaiting } from "../mcp-servers/describe-waiting.ts";

/** What waits for people, of each kind what waits longest. */
export const InboxQuery = graphql(
  `
    query Inbox {
      messages(last: 50, filter: { waiting: true }) {
        totalCount
        nodes {
          id
          uuid
          parts
          createdAt
          sender {
            name
          }
        }
      }
      approvals(last: 50, filter: { status: PENDING }) {
        totalCount
        nodes {
          id
          uuid
          ...ApprovalTitle
          createdAt
        }
      }
      executions(last: 50, filter: { status: UNKNOWN }) {
        totalCount
        nodes {
          id
          uuid
          resourceId
          agent {
            id
            name
          }
          createdAt
          endedAt
        }
      }
      mcpServers(first: 100) {
        nodes {
          id
          uuid
          name
          toolCounts {
            pending
            changed
          }
        }
      }
    }
  `,
  [ApprovalTitle],
);

/** Something that waits for people. */
export type InboxItem = {
  /** Changes with what waits. */
  key: string;
  uuid: string;
  kind: "Question" | "Approval" | "Unknown outcome" | "Tools to review";
  title: string;
  /** Who asked. */
  from: string;
  /** Since when it waits. Null if nobody knows. */
  at: string | null;
  href: string;
};

/** After any time. */
const NEVER = "9999";

/** The items, those that wait longest first. */
export function toInboxItems(found: ResultOf<typeof InboxQuery>): InboxItem[] {
  const items: InboxItem[] = [
    ...found.messages.nodes.map(({ uuid, parts, createdAt, sender }) => ({
      ...{ key: uuid, uuid, kind: "Question" as const, from: sender.name, at: createdAt },
      ...{ title: toMessageText(parts), href: `/inbox/${uuid}` },
    })),
    ...found.approvals.nodes.map((approval) => ({
      ...{ key: approval.uuid, uuid: approval.uuid, kind: "Approval" as const, at: approval.createdAt },
      ...{ title: getApprovalTitle(approval), from: getAskerName(approval) },
      href: `/approvals/${approval.uuid}`,
    })),
    ...found.executions.nodes.map(({ uuid, resourceId, agent, createdAt, endedAt }) => ({
      ...{ key: uuid, uuid, kind: "Unknown outcome" as const, at: endedAt ?? createdAt },
      ...{
        title: toVisibleText(resourceId),
        from: agent?.name ?? "Unnamed agent",
        href: `/executions/${uuid}`,
      },
    })),
    ...found.mcpServers.nodes.flatMap((server) =>
      getServerKey(server).map((key) => ({
        ...{ key, uuid: server.uuid, kind: "Tools to review" as const, at: null },
        ...{ title: describeWaiting(server), from: server.name, href: `/mcp-servers/${server.uuid}` },
      })),
    ),
  ];
  return items.toSorted((one, other) => (one.at ?? NEVER).localeCompare(other.at ?? NEVER));
}
