import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { findUuid, toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { AnswerLine } from "../../conversations/thread/answer-line.tsx";
import type { ThreadMessage } from "../../conversations/thread/message-fields.ts";
import { Parts } from "../../conversations/thread/parts.tsx";
import { RelatedTrace } from "../../traces/related-trace.tsx";
import { hasTaskEnded } from "../task-filter.ts";
import { TaskActs } from "./task-acts.tsx";
import { TaskContent } from "./task-content.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskMessages } from "./task-messages.tsx";
import { TaskQuery, type ShownTask } from "./task-query.ts";
import { TimeLine } from "./time-line/time-line.tsx";

const ABOVE = { href: "/tasks", title: "Tasks" };

/** One task: its open question, input, output, messages, and what happened around it. */
export function TaskPage({ uuid }: { uuid: string }) {
  const id = toGlobalId("Task", uuid);
  const query = useLiveQuery(TaskQuery, { id }, { types: ["task.*", "message.*"] });
  return (
    <OnePage what="task" above={ABOVE} query={query}>
      {({ task, messages, tasks: retries }) => (
        <Page
          title={task.title}
          above={ABOVE}
          lead={<TaskLead task={task} />}
          action={<TaskActs task={task} />}
        >
          {task.status === "AUTH_REQUIRED" && (
            <p className="notice notice-warn">
              A policy asks people about a call of its agent:{" "}
              <Link href={`/approvals/${task.approvalUuid}`}>View approval</Link>. The task goes on once they
              decide.
            </p>
          )}
          {task.question !== null && (
            <WaitingQuestion key={task.question.uuid} task={task} question={task.question} />
          )}
          <div className="with-aside">
            <div className="stack">
              <TaskContent task={task} />
              <TimeLine
                id={id}
                uuid={task.uuid}
                trace={toGlobalId("Trace", getTraceUuid(task))}
                endedAt={task.finishedAt}
                hasFailed={task.status === "FAILED"}
              />
              <TaskMessages task={task} messages={messages.nodes} total={messages.totalCount} />
            </div>
            <div className="stack">
              <TaskFacts task={task} retries={retries.nodes} />
              <RelatedTrace traceId={getTraceUuid(task)} />
            </div>
          </div>
        </Page>
      )}
    </OnePage>
  );
}

/** The caller's trace, or the one whose id is the task's. */
function getTraceUuid({ traceId, uuid }: ShownTask): string {
  return findUuid(traceId ?? "") ?? uuid;
}

/** A task's state in one line. */
function TaskLead({ task }: { task: ShownTask }) {
  const { status, cancelRequestedAt, statusMessage, error, progress, title, deadlineAt } = task;
  const hasEnded = hasTaskEnded(status);
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {!hasEnded && cancelRequestedAt !== null && <StatusChip status="IS_BEING_CANCELED" tone="warn" />}
      {!hasEnded && deadlineAt !== null && (
        <span>
          due <TimeAgo at={deadlineAt} />
        </span>
      )}
      {status === "WORKING" && progress !== null && <Progress value={progress} of={title} />}
      {statusMessage !== null && status !== "INPUT_REQUIRED" && error === null && (
        <span>{statusMessage}</span>
      )}
    </div>
  );
}

/** The open question of a task, with a form to answer it. */
function WaitingQuestion({ task, question }: { task: ShownTask; question: ThreadMessage }) {
  const mayAnswer = useIsAtLeast("OPERATOR");
  return (
    <section className="card stack-m tasks-oldest" aria-labelledby="waiting-question">
      <div className="row-between">
        <h2 id="waiting-question">{question.sender.name} asks</h2>
        <span className="small">
          <TimeAgo at={question.createdAt} />
        </span>
      </div>
      <Parts parts={question.parts} label="The question" />
      <AnswerLine question={question} name={task.title} isOpenFirst />
      {!mayAnswer && <p className="small">You need the operator role to answer.</p>}
    </section>
  );
}
