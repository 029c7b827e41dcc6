import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { ErrorNote } from "../../../../ui/error-note.tsx";
import { toVisibleText } from "../../../../ui/to-visible-text.ts";
import { useNow } from "../../../../ui/use-now.ts";
import { formatCount } from "../../../../ui/words.ts";
import { formatMicroseconds } from "../../../traces/format-microseconds.ts";
import { type TimeLine as BuiltTimeLine, buildTimeLine } from "./build-time-line.ts";
import { FirstErrorNote } from "./first-error-note.tsx";
import type { TimeLineItem } from "./time-line-item.ts";
import { TimeLineQuery } from "./time-line-query.ts";
import "./time-line.css";

/** Spans have no events. */
const SPANS_EVERY_MS = 5000;
/** How long the last spans of a task may take to come. */
const LATE_MS = 60_000;
const TYPES = [
  ...["task.*", "message.*", "approval.*", "agent_command.*"],
  ...["trace.scored", "trace.score_deleted"],
];

export type TimeLineProps = {
  /** The task's GraphQL id and UUID. */
  id: string;
  uuid: string;
  /** The GraphQL id of its own trace. */
  trace: string;
  /** When the task ended, if it has. */
  endedAt: string | null;
  hasFailed: boolean;
};

/** What happened around a task, together: its steps, spans, decisions, questions and commands. */
export function TimeLine({ id, uuid, trace, endedAt, hasFailed }: TimeLineProps) {
  const hasEnded = endedAt !== null;
  const isWhole = useHasPassed(endedAt, LATE_MS);
  const freshness = { types: TYPES, ...(!isWhole && { everyMs: SPANS_EVERY_MS }) };
  const { data, problem, refresh } = useLiveQuery(TimeLineQuery, { id, uuid, trace }, freshness);
  const line = data === null ? null : buildTimeLine(data);
  return (
    <section className="card stack-m" aria-labelledby="task-time-line">
      <h2 id="task-time-line">Timeline</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      {hasFailed && line !== null && line.firstError !== null && <FirstErrorNote error={line.firstError} />}
      {line !== null && line.items.length > 0 && <Items line={line} hasEnded={hasEnded} />}
      {line !== null && line.items.length === 0 && (
        <p className="soft">
          {hasEnded
            ? "Its events have been deleted, as they are older than the retention period."
            : "Nothing has happened yet."}
        </p>
      )}
    </section>
  );
}

/** Whether some time has passed since an instant, if there is one. */
function useHasPassed(at: string | null, ms: number): boolean {
  const [passed, setPassed] = useState<string | null>(null);
  useEffect(() => {
    if (at === null) return;
    const leftMs = Date.parse(at) + ms - Date.now();
    const timer = setTimeout(() => setPassed(at), Math.max(leftMs, 0));
    return () => clearTimeout(timer);
  }, [at, ms]);
  return at !== null && passed === at;
}

function Items({ line, hasEnded }: { line: BuiltTimeLine; hasEnded: boolean }) {
  const nowMs = useNow();
  // What still waits after the end would press all the rest together.
  const toMs = hasEnded ? line.toMs : Math.max(line.toMs, nowMs);
  return (
    <>
      <ol className="time-line">
        {line.items.map((item) => (
          <Item key={item.key} item={item} window={{ fromMs: line.fromMs, toMs, nowMs }} />
        ))}
      </ol>
      {line.hidden > 0 && (
        <p className="small soft">
          {formatCount(line.hidden, "more span is", "more spans are")} in the trace.
        </p>
      )}
    </>
  );
}

const KINDS: Readonly<Record<TimeLineItem["kind"], string>> = {
  task: "Task",
  score: "Score",
  span: "Span",
  decision: "Decision",
  approval: "Approval",
  question: "Question",
  command: "Command",
};

/** What time the bars show, and until when what is open has lasted. */
type Window = { fromMs: number; toMs: number; nowMs: number };

function Item({ item, window: { fromMs, toMs, nowMs } }: { item: TimeLineItem; window: Window }) {
  const text = toVisibleText(item.text);
  const endMs = item.toMs ?? Math.max(nowMs, item.fromMs);
  const whole = Math.max(toMs - fromMs, 1);
  const startMs = Math.min(item.fromMs, toMs);
  const took = formatMicroseconds((endMs - item.fromMs) * 1000);
  return (
    <li className="time-line-item" data-kind={item.kind}>
      <span className="time-line-at small soft">
        {item.fromMs <= fromMs ? "start" : `+${formatMicroseconds((item.fromMs - fromMs) * 1000)}`}
      </span>
      <span className="time-line-what">
        <span className="small soft">{KINDS[item.kind]}</span>{" "}
        {item.href === null ? text : <Link href={item.href}>{text}</Link>}{" "}
        {item.chip !== null && <span className={`badge badge-${item.chip[1]}`}>{item.chip[0]}</span>}{" "}
        {endMs > item.fromMs && (
          <span className="small soft nowrap">{item.toMs === null ? `${took} so far` : took}</span>
        )}
      </span>
      <span className="time-line-track" aria-hidden="true">
        <span
          className="time-line-bar"
          data-open={item.toMs === null || undefined}
          data-failed={item.chip?.[1] === "bad" || undefined}
          style={{
            left: `${((startMs - fromMs) / whole) * 100}%`,
            width: `${((Math.min(endMs, toMs) - startMs) / whole) * 100}%`,
          }}
        />
      </span>
    </li>
  );
}
