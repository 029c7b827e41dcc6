import { Link } from "wouter";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { AnswerLine } from "../../conversations/thread/answer-line.tsx";
import type { ThreadMessage } from "../../conversations/thread/message-fields.ts";
import { MessageForm } from "../../conversations/thread/message-form.tsx";
import { Thread } from "../../conversations/thread/thread.tsx";
import type { ShownTask } from "./task-query.ts";

/** A task's messages, newest first. `total` is null for more than 10,000. */
export type TaskMessagesProps = {
  task: ShownTask;
  messages: readonly ThreadMessage[];
  total: number | null;
};

/** The messages about a task, with a form to write one. */
export function TaskMessages({ task, messages, total }: TaskMessagesProps) {
  const mayWrite = useIsAtLeast("OPERATOR");
  return (
    <section className="stack-m" aria-labelledby="task-messages">
      <div className="row-between">
        <h2 id="task-messages">Messages</h2>
        <Link href={`/conversations/${task.contextId}`}>
          {total === messages.length ? "View conversation" : "View all messages"}
        </Link>
      </div>
      {messages.length === 0 && <p className="soft">No messages about this task.</p>}
      <Thread
        messages={messages.toReversed()}
        label="Messages about this task"
        renderExtra={(message) =>
          isElsewhere(task, message) && <AnswerLine question={message} name={task.title} />
        }
      />
      {mayWrite && (
        <details className="fold">
          <summary>Write message</summary>
          <div className="form">
            <MessageForm
              to={{ taskId: task.id }}
              label="Your message about this task"
              sendLabel="Send"
              done="Message sent."
            />
          </div>
        </details>
      )}
    </section>
  );
}

/** The open question is shown at the top of the page instead. */
function isElsewhere({ question }: ShownTask, { kind, answeredByUuid, uuid }: ThreadMessage): boolean {
  return kind === "QUESTION" && answeredByUuid === null && uuid !== question?.uuid;
}
