import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../data/graphql.ts";
import { PageFields } from "../../data/page-fields.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { usePaging } from "../../data/use-paging.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { Empty } from "../../ui/empty.tsx";
import { Filters } from "../../ui/form/filters.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { Page } from "../../ui/page.tsx";
import { StatusChip } from "../../ui/status-chip.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { Column } from "../../ui/table/row.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import "./conversations.css";
import { toMessageText } from "./thread/to-message-text.ts";

const Conversations = graphql(
  `
    query Conversations(
      $first: Int
      $after: String
      $last: Int
      $before: String
      $filter: ConversationFilter
    ) {
      conversations(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          contextId
          messageCount
          questionWaits
          taskTitle
          lastMessage {
            id
            parts
            createdAt
            sender {
              name
            }
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

type Conversation = ResultOf<typeof Conversations>["conversations"]["nodes"][number];

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<Conversation>[] = [
  { header: "Conversation", cell: Name },
  {
    header: "Waiting",
    cell: ({ questionWaits }) => (questionWaits ? <Waits /> : <span className="soft">–</span>),
  },
  { header: "Last sender", cell: ({ lastMessage }) => lastMessage.sender.name },
  {
    header: "Messages",
    cell: ({ messageCount }) => messageCount.toLocaleString("en"),
  },
  { header: "Last message", cell: ({ lastMessage }) => <TimeAgo at={lastMessage.createdAt} /> },
];

/** The list of conversations, newest first. */
export function ConversationList() {
  const { values, bind } = useUrlState({ waiting: "" });
  const filter = { waiting: values.waiting === "yes" ? true : null };
  const query = useLiveQuery(
    Conversations,
    { ...usePaging(PAGE_SIZE), filter },
    { types: ["message.*", "task.*"], apartMs: 1000 },
  );
  return (
    <Page title="Conversations">
      <Filters>
        <SelectField
          label="Show"
          options={[
            ["", "All conversations"],
            ["yes", "With open questions"],
          ]}
          {...bind("waiting")}
        />
      </Filters>
      <DataTable
        one="conversation"
        many="conversations"
        columns={COLUMNS}
        query={query}
        page={query.data?.conversations ?? null}
        countsUpTo={COUNTED}
        getKey={({ contextId }) => contextId}
        getHref={({ contextId }) => `/conversations/${contextId}`}
        empty={values.waiting === "yes" ? <NothingWaits /> : <NothingSaid />}
      />
    </Page>
  );
}

/** The server counts conversations up to this number. */
const COUNTED = 100;

function Name({ taskTitle, lastMessage }: Conversation) {
  const said = toMessageText(lastMessage.parts);
  return (
    <>
      <span className="conversations-title">{taskTitle ?? "No task"}</span>
      <span className="conversations-said">{said}</span>
    </>
  );
}

function Waits() {
  return <StatusChip status="QUESTION_WAITS" tone="warn" />;
}

function NothingWaits() {
  return (
    <Empty title="No open questions">
      <Link href="/conversations">Show all conversations</Link>
    </Empty>
  );
}

function NothingSaid() {
  return (
    <Empty
      title="No conversations yet"
      role="OPERATOR"
      otherwise="Messages and questions from agents appear here."
    >
      Messages and questions from agents appear here. <Link href="/tasks/new">Create a task</Link>
    </Empty>
  );
}
