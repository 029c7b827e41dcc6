import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TASKS_STATE, taskFilterOf } from "../task-filter.ts";
import { type BoardTask, BoardQuery } from "./board-query.ts";
import { BoardColumn } from "./board-column.tsx";
import { EndedTotals } from "./ended-totals.tsx";
import { OldestQuestion } from "./oldest-question.tsx";

const SHOWN = 20;

/** The tasks by how they stand: what waits for a person first. */
export function Board() {
  const { values } = useUrlState(TASKS_STATE);
  const narrowed = taskFilterOf(values);
  const { data, problem, isLoading, refresh } = useLiveQuery(
    BoardQuery,
    {
      shown: SHOWN,
      waiting: { ...narrowed, status: "INPUT_REQUIRED" },
      submitted: { ...narrowed, status: "SUBMITTED" },
      working: { ...narrowed, status: "WORKING" },
      ended: { ...narrowed, statuses: ["COMPLETED", "FAILED", "CANCELED", "REJECTED"] },
    },
    { types: ["task.*"] },
  );
  const waiting = byQuestion(data?.waiting.nodes ?? []);
  const [oldest] = waiting;
  return (
    <div className="stack-m" aria-busy={isLoading}>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} />
      {oldest !== undefined && <OldestQuestion key={oldest.uuid} task={oldest} />}
      {data !== null && <Columns data={data} waiting={waiting} isNarrowed={isNarrowed(narrowed)} />}
    </div>
  );
}

type ColumnsProps = {
  data: ResultOf<typeof BoardQuery>;
  /** Those of them that wait, who waits longest first. */
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
        empty="No task waits for an answer."
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
        empty="No agent is at work."
      />
      <BoardColumn
        title="Ended"
        total={data.ended.totalCount}
        tasks={data.ended.nodes}
        empty="Nothing has ended yet."
        head={isNarrowed ? undefined : <EndedTotals counts={taskCounts} />}
      />
    </div>
  );
}

function NothingSubmitted() {
  if (!useIsAtLeast("OPERATOR")) return "The queues are empty.";
  return (
    <>
      The queues are empty. <Link href="/tasks/new">Create a task</Link>
    </>
  );
}

/** Who waits longest first. */
function byQuestion(tasks: readonly BoardTask[]): BoardTask[] {
  return tasks.toSorted((a, b) => askedAt(a).localeCompare(askedAt(b)));
}

function askedAt({ question, createdAt }: BoardTask): string {
  return question?.createdAt ?? createdAt;
}
