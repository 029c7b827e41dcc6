import { Link } from "wouter";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { toMessageText } from "../../conversations/thread/to-message-text.ts";

const ApprovalMessages = graphql(`
  query ApprovalMessages($id: ID!) {
    messages(first: 5, filter: { taskId: $id }) {
      totalCount
      nodes {
        id
        uuid
        contextId
        kind
        parts
        sender {
          name
        }
        createdAt
      }
    }
  }
`);

/** Longer messages are cut. The whole one is in the conversation. */
const SHOWN_LENGTH = 400;

/** The last messages about the task for which an agent asks. Nothing if there are none. */
export function TaskContext({ taskUuid }: { taskUuid: string }) {
  const variables = { id: toGlobalId("Task", taskUuid) };
  const { data } = useLiveQuery(ApprovalMessages, variables, { types: ["message.*"], apartMs: 1000 });
  const nodes = data?.messages.nodes ?? [];
  const [newest] = nodes;
  if (newest === undefined) return null;
  return (
    <section className="card stack-m" aria-labelledby="approval-messages">
      <h2 id="approval-messages">Last messages about the task</h2>
      <ul className="stack-m">
        {nodes.toReversed().map(({ uuid, parts, sender, createdAt }) => (
          <li key={uuid} className="stack-s">
            <span className="in-line small soft">
              {sender.name} <TimeAgo at={createdAt} />
            </span>
            <p className="approvals-comment">{cut(toVisibleText(toMessageText(parts), "\n"))}</p>
          </li>
        ))}
      </ul>
      <p>
        <Link href={`/conversations/${newest.contextId}`}>View conversation</Link>
      </p>
    </section>
  );
}

function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
