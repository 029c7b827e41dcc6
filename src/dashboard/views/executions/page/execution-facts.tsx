import type { ReactNode } from "react";
import { Link } from "wouter";
import { Countdown } from "../../../ui/countdown.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownExecution } from "../execution-fields.ts";

type Fact = readonly [name: string, value: ReactNode];

/** An execution's details. */
export function ExecutionFacts({ execution }: { execution: ShownExecution }) {
  const { agent, agentUuid, action, approvalUuid, useNumber, decisionUuid, retryOfUuid, taskUuid } =
    execution;
  const { leaseExpiresAt, status, traceId } = execution;
  const facts: Fact[] = [
    [
      "Agent",
      <Link key="agent" href={`/agents/${agentUuid}`}>
        {agent?.name ?? "Unnamed agent"}
      </Link>,
    ],
    [
      "Action",
      <span key="action" className="tag">
        {toVisibleText(action)}
      </span>,
    ],
    [
      "Decision",
      <Link key="decision" href={`/decisions/${decisionUuid}`}>
        View decision
      </Link>,
    ],
    ...createFact("Approval", approvalUuid && <Link href={`/approvals/${approvalUuid}`}>View approval</Link>),
    ...createFact("Use", useNumber),
    ...createFact(
      "Retry of",
      retryOfUuid && <Link href={`/executions/${retryOfUuid}`}>another execution</Link>,
    ),
    ...createFact("Task", taskUuid && <Link href={`/tasks/${taskUuid}`}>View task</Link>),
    ["Started", <TimeAgo key="started" at={execution.createdAt} />],
    ...createFact("Ended", execution.endedAt && <TimeAgo at={execution.endedAt} />),
    ...createFact("Lease", status === "STARTED" && leaseExpiresAt && <Countdown until={leaseExpiresAt} />),
    ["Fence", String(execution.fence)],
    ...createFact("Trace ID", traceId && <code>{toVisibleText(traceId)}</code>),
    ["Execution ID", <code key="id">{execution.uuid}</code>],
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

/** A detail, omitted if it has no value. */
function createFact(name: string, value: ReactNode): Fact[] {
  return value === null || value === false || value === "" ? [] : [[name, value]];
}
