import { Link } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { graphql } from "../../data/graphql.ts";
import { PageFields } from "../../data/page-fields.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { usePaging } from "../../data/use-paging.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { Busy } from "../../ui/busy.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Page } from "../../ui/page.tsx";
import type { Connection } from "../../ui/table/connection.ts";
import { Pager } from "../../ui/table/pager.tsx";
import { formatCount } from "../../ui/words.ts";
import { type ContextTask, ContextTasks, ContextTaskFields } from "./context-tasks.tsx";
import "./conversations.css";
import { AnswerLine } from "./thread/answer-line.tsx";
import { MessageFields, type ThreadMessage } from "./thread/message-fields.ts";
import { MessageForm } from "./thread/message-form.tsx";
import { Thread } from "./thread/thread.tsx";

const ConversationQuery = graphql(
  `
    query Conversation($contextId: UUID!, $first: Int, $after: String, $last: Int, $before: String) {
      messages(
        first: $first
        after: $after
        last: $last
        before: $before
        filter: { contextId: $contextId }
      ) {
        totalCount
        nodes {
          ...MessageFields
        }
        pageInfo {
          ...PageFields
        }
      }
      tasks(first: 50, filter: { contextId: $contextId }) {
        nodes {
          ...ContextTaskFields
        }
      }
    }
  `,
  [MessageFields, ContextTaskFields, PageFields],
);

const SHOWN = 50;

/** One conversation: its messages, its tasks, and forms to reply and answer. */
export function ConversationPage({ contextId }: { contextId: string }) {
  const query = useLiveQuery(
    ConversationQuery,
    { contextId, ...usePaging(SHOWN) },
    { types: ["message.*", "task.*"] },
  );
  const mayWrite = useIsAtLeast("OPERATOR");
  const messages = query.data?.messages.nodes ?? [];
  const tasks = query.data?.tasks.nodes ?? [];
  if (query.data !== null && messages.length + tasks.length === 0) return <NotFound what="conversation" />;
  const [newest] = tasks;
  return (
    <Page
      title={newest?.title ?? "Conversation"}
      above={{ href: "/conversations", title: "Conversations" }}
      lead={query.data !== null && formatCount(query.data.messages.totalCount ?? 0, "message")}
    >
      <ErrorNote problem={query.problem} onRetry={query.refresh} />
      <Busy isBusy={query.isLoading} lines={query.data === null ? 6 : 0} />
      {query.data !== null && (
        <div className="with-aside">
          <div className="stack">
            <Said page={query.data.messages} tasks={tasks} />
            {mayWrite && (
              <section className="card" aria-label="Reply">
                <MessageForm
                  to={{ contextId }}
                  label="Write to everyone in this conversation"
                  sendLabel="Send"
                  done="Message sent."
                />
              </section>
            )}
          </div>
          <ContextTasks tasks={tasks} />
        </div>
      )}
    </Page>
  );
}

function Said({ page, tasks }: { page: Connection<ThreadMessage>; tasks: readonly ContextTask[] }) {
  const titles = new Map(tasks.map(({ uuid, title }) => [uuid, title]));
  if (page.nodes.length === 0) {
    return <Empty title="No messages yet">Questions and messages about its tasks appear here.</Empty>;
  }
  return (
    <>
      {(page.pageInfo.hasNextPage || page.pageInfo.hasPreviousPage) && (
        <Pager page={page} one="message" many="messages" />
      )}
      <Thread
        messages={page.nodes.toReversed()}
        label="Messages"
        renderExtra={(message) => (
          <Beside message={message} title={titles.get(message.taskUuid ?? "") ?? null} />
        )}
      />
    </>
  );
}

function Beside({ message, title }: { message: ThreadMessage; title: string | null }) {
  const { kind, answeredByUuid, taskUuid } = message;
  return (
    <>
      {taskUuid !== null && (
        <p className="small">
          <span className="soft">About </span>
          <Link href={`/tasks/${taskUuid}`}>{title ?? "a task"}</Link>
        </p>
      )}
      {kind === "QUESTION" && answeredByUuid === null && (
        <AnswerLine question={message} name={title ?? "the question"} />
      )}
    </>
  );
}
