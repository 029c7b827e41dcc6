import type { ResultOf } from "gql.tada";
import { graphql } from "../../../../data/graphql.ts";
import { PageFields } from "../../../../data/page-fields.ts";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { usePaging } from "../../../../data/use-paging.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { DataTable } from "../../../../ui/table/data-table.tsx";
import type { Column } from "../../../../ui/table/row.tsx";
import { TimeAgo } from "../../../../ui/time-ago.tsx";
import { toWords } from "../../../../ui/words.ts";
import { toMessageText } from "../../../conversations/thread/to-message-text.ts";

const AgentMessages = graphql(
  `
    query AgentMessages($first: Int, $after: String, $last: Int, $before: String, $uuid: UUID!) {
      messages(first: $first, after: $after, last: $last, before: $before, filter: { senderUuid: $uuid }) {
        totalCount
        nodes {
          id
          uuid
          contextId
          kind
          parts
          createdAt
          answeredByUuid
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

type AgentMessage = ResultOf<typeof AgentMessages>["messages"]["nodes"][number];

const COLUMNS: readonly Column<AgentMessage>[] = [
  { header: "Message", cell: ({ parts }) => toMessageText(parts) },
  { header: "Kind", cell: ({ kind }) => toWords(kind) },
  { header: "Sent", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
];

/** Messages from an agent. */
export function MessagesTab({ uuid }: { uuid: string }) {
  const query = useLiveQuery(
    AgentMessages,
    { ...usePaging(20), uuid },
    { types: ["message.*"], apartMs: 1000 },
  );
  return (
    <DataTable
      one="message"
      many="messages"
      columns={COLUMNS}
      query={query}
      page={query.data?.messages ?? null}
      getKey={(message) => message.uuid}
      getHref={({ contextId }) => `/conversations/${contextId}`}
      empty={
        <Empty title="No messages yet">
          Messages from this agent appear here. To write to it, open one of its tasks.
        </Empty>
      }
    />
  );
}
