import { Link } from "wouter";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { formatCount } from "../../../ui/words.ts";
import { TraceChips } from "../trace-chips.tsx";
import { Cost } from "../../../ui/cost.tsx";
import { TraceDuration } from "../trace-duration.tsx";
import type { ShownTrace } from "./trace-query.ts";
import { TraceResults } from "./trace-results.tsx";

/** A trace's status, agent and size, and its ids. */
export function TraceLead({ trace }: { trace: ShownTrace }) {
  const { agentUuid, agent, spanCount, startedAt, traceId } = trace;
  const { conversationId, taskUuid, missionUuid } = trace;
  return (
    <div className="stack-s">
      <div className="in-line">
        <TraceChips trace={trace} />
        <span>
          by <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "unnamed agent"}</Link>
        </span>
        <span>{formatCount(spanCount, "span")}</span>
        <TraceDuration trace={trace} />
        <span>{formatCount(trace.inputTokens + trace.outputTokens, "token")}</span>
        <Cost of={trace} />
        <span>
          started <TimeAgo at={startedAt} />
        </span>
      </div>
      <div className="in-line small">
        <span>
          Trace ID <code>{traceId}</code>
        </span>
        {taskUuid !== null && <Link href={`/tasks/${taskUuid}`}>View task</Link>}
        {missionUuid !== null && <Link href={`/missions/${missionUuid}`}>View mission</Link>}
        {conversationId !== null && (
          <Link
            href={`/traces?conversation=${encodeURIComponent(conversationId)}`}
            title={toVisibleText(conversationId)}
          >
            Traces of its conversation
          </Link>
        )}
      </div>
      <TraceResults results={trace.evalResults} />
    </div>
  );
}
