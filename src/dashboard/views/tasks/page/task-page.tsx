import { OnePage } from "../../../app/one-page.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Page } from "../../../ui/page.tsx";
import { hasTaskEnded } from "../task-filter.ts";
import { TaskActs } from "./task-acts.tsx";
import { TaskContent } from "./task-content.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskHistory } from "./task-history.tsx";
import { TaskLead } from "./task-lead.tsx";
import { TaskMessages } from "./task-messages.tsx";
import { TaskQuery } from "./task-query.ts";
import { WaitingQuestion } from "./waiting-question.tsx";

const ABOVE = { href: "/tasks", title: "Tasks" };

/** One task: what it waits on, what was given and made, what was said, and how it came to where it is. */
export function TaskPage({ uuid }: { uuid: string }) {
  const id = globalId("Task", uuid);
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
          {task.question !== null && (
            <WaitingQuestion key={task.question.uuid} task={task} question={task.question} />
          )}
          <div className="with-aside">
            <div className="stack">
              <TaskContent task={task} />
              <TaskMessages task={task} messages={messages.nodes} total={messages.totalCount} />
            </div>
            <div className="stack">
              <TaskFacts task={task} retries={retries.nodes} />
              <TaskHistory id={id} hasEnded={hasTaskEnded(task.status)} />
            </div>
          </div>
        </Page>
      )}
    </OnePage>
  );
}
