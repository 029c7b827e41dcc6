import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { AnswerLine } from "../../conversations/thread/answer-line.tsx";
import { Parts } from "../../conversations/thread/parts.tsx";
import { TASKS_STATE, toTaskFilter } from "../task-filter.ts";
import { BoardColumn } from "./board-column.tsx";
import { type BoardTask, BoardQuery } from "./board-query.ts";
import type { ResultOf } from "gql.tada";
import { Link } from "wouter";

const SHOWN = 20;

/** Tasks by status. Those that need input come first. */
export function Board() {
  const { values } = useUrlState(TASKS_STATE);
  const narrowed = toTaskFilter(values);
  const { data, problem, isLoading, refresh } = useLiveQuery(
    BoardQuery,
    {
      shown: SHOWN,
      waiting: { ...narrowed, status: "INPUT_REQUIRED" },
      submitted: { ...narrowed, status: "SUBMITTED" },
      working: { ...narrowed, statuses: ["WORKING", "AUTH_REQUIRED"] },
      ended: { ...narrowed, statuses: ["COMPLETED", "FAILED", "CANCELED", "REJECTED"] },
    },
    { types: ["task.*"] },
  );
  const waiting = sortByQuestion(data?.waiting.nodes ?? []);
  const [oldest] = waiting;
  return (
    <div className="stack-m" aria-busy={isLoading}>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={data === null ? 6 : 0} />
      {oldest !== undefined && <OldestQuestion key={oldest.uuid} task={oldest} />}
      {data !== null && <Columns data={data} waiting={waiting} isNarrowed={isNarrowed(narrowed)} />}
    </div>
  );
}

type ColumnsProps = {
  data: ResultOf<typeof BoardQuery>;
  /** Tasks with an open question, longest waiting first. */
  waiting: readonly BoardTask[];
  isNarrowed: boolean;
};

function Columns({ data: { taskCounts, ...data }, waiting, isNarrowed }: ColumnsProps) {
  return (
    <div className="tasks-board">
      <BoardColumn
        title="Input required"
        status="INPUT_REQUIRED"
        total={data.waiting.totalCount}
        tasks={waiting}
        empty="No task needs input."
      />
      <BoardColumn
        title="Submitted"
        status="SUBMITTED"
        total={data.submitted.totalCount}
        tasks={data.submitted.nodes}
        empty={<NothingSubmitted />}
      />
      <BoardColumn
        title="Working"
        status="WORKING"
        total={data.working.totalCount}
        tasks={data.working.nodes}
        empty="No task is in progress."
      />
      <BoardColumn
        title="Finished"
        total={data.ended.totalCount}
        tasks={data.ended.nodes}
        empty="No finished tasks."
        head={isNarrowed ? undefined : <EndedTotals counts={taskCounts} />}
      />
    </div>
  );
}

function NothingSubmitted() {
  if (!useIsAtLeast("OPERATOR")) return "All queues are empty.";
  return (
    <>
      All queues are empty. <Link href="/tasks/new">Create a task</Link>
    </>
  );
}

/** Longest waiting first. */
function sortByQuestion(tasks: readonly BoardTask[]): BoardTask[] {
  return tasks.toSorted((a, b) => getAskedAt(a).localeCompare(getAskedAt(b)));
}

function getAskedAt({ question, createdAt }: BoardTask): string {
  return question?.createdAt ?? createdAt;
}

/** Number of tasks by final status. */
type EndedTotalsProps = {
  counts: { completed: number; failed: number; canceled: number; rejected: number };
};

/** Links to the lists of finished tasks, with totals. */
function EndedTotals({ counts }: EndedTotalsProps) {
  const ways = [
    ["completed", counts.completed],
    ["failed", counts.failed],
    ["canceled", counts.canceled],
    ["rejected", counts.rejected],
  ] as const;
  return (
    <ul className="tasks-ways">
      {ways.map(([way, count]) => (
        <li key={way}>
          <Link href={`/tasks?view=list&status=${way.toUpperCase()}`}>
            {count.toLocaleString("en")} {way}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The longest waiting question, with a form to answer it. */
function OldestQuestion({ task }: { task: BoardTask }) {
  const { question, uuid, title } = task;
  if (question === null) return null;
  return (
    <section className="card stack-s tasks-oldest" aria-labelledby="oldest-question">
      <div className="row-between">
        <h2 id="oldest-question">Waiting longest</h2>
        <span className="small soft">
          {question.sender.name} asked <TimeAgo at={question.createdAt} />
        </span>
      </div>
      <Link href={`/tasks/${uuid}`}>{title}</Link>
      <Parts parts={question.parts} label="The question" />
      <AnswerLine question={question} name={title} />
    </section>
  );
}
