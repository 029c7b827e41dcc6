import { Link } from "wouter";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { AnswerLine } from "../../conversations/thread/answer-line.tsx";
import type { ThreadMessage } from "../../conversations/thread/message-fields.ts";
import { MessageForm } from "../../conversations/thread/message-form.tsx";
import { Thread } from "../../conversations/thread/thread.tsx";
import type { ShownTask } from "./task-query.ts";

/** A task's messages: the newest come first. `total` is null for more than 10,000. */
export type TaskMessagesProps = {
  task: ShownTask;
  messages: readonly ThreadMessage[];
  total: number | null;
};

/** What was said about a task, and where something more is said. */
export function TaskMessages({ task, messages, total }: TaskMessagesProps) {
  const mayWrite = useIsAtLeast("OPERATOR");
  return (
    <section className="stack-m" aria-labelledby="task-messages">
      <div className="row-between">
        <h2 id="task-messages">Messages</h2>
        <Link href={`/conversations/${task.contextId}`}>
          {total === messages.length ? "The whole conversation" : "All messages, in the conversation"}
        </Link>
      </div>
      {messages.length === 0 && <p className="soft">Nothing was said about this task.</p>}
      <Thread
        messages={messages.toReversed()}
        label="Messages about this task"
        renderExtra={(message) =>
          isElsewhere(task, message) && <AnswerLine question={message} name={task.title} />
        }
      />
      {mayWrite && (
        <details className="fold">
          <summary>Write a message</summary>
          <div className="form">
            <MessageForm
              to={{ taskId: task.id }}
              label="Your message about this task"
              sendLabel="Send"
              done="The message is sent."
            />
          </div>
        </details>
      )}
    </section>
  );
}

/** The question that the task waits on has its box at the top of the page. */
function isElsewhere({ question }: ShownTask, { kind, answeredByUuid, uuid }: ThreadMessage): boolean {
  return kind === "QUESTION" && answeredByUuid === null && uuid !== question?.uuid;
}
