import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { Asker } from "../asker.tsx";
import type { ShownDecision } from "./decision-query.ts";

type Fact = readonly [name: string, value: ReactNode];

/** A decision's details. */
export function DecisionFacts({ decision }: { decision: ShownDecision }) {
  const { agentUuid, subject, action, resourceType, resourceAgent, taskUuid, latencyMicroseconds } = decision;
  const facts: Fact[] = [
    ...createFact("Asked by", <Asker asking={decision} />),
    ...createFact("For", agentUuid === null ? null : formatSubject(subject)),
    ...createFact("Action", <span className="tag">{toVisibleText(action)}</span>),
    ...createFact("Resource type", <span className="tag">{resourceType}</span>),
    ...createFact(
      "Agent",
      resourceAgent && <Link href={`/agents/${resourceAgent.uuid}`}>{resourceAgent.name}</Link>,
    ),
    ...createFact("Task", taskUuid && <Link href={`/tasks/${taskUuid}`}>View task</Link>),
    ...createFact("Decided", <TimeAgo at={decision.createdAt} />),
    ...createFact("Took", formatLatency(latencyMicroseconds)),
    ...createFact("Trace ID", decision.traceId && <Id>{decision.traceId}</Id>),
    ...createFact("Request ID", decision.requestId && <Id>{decision.requestId}</Id>),
    ...createFact("Decision ID", <Id>{decision.uuid}</Id>),
    ...createFact("Request hash", <Id>{decision.requestHash}</Id>),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

/** A detail, omitted if it has no value. */
function createFact(name: string, value: ReactNode): Fact[] {
  return value === null || value === "" ? [] : [[name, value]];
}

function Id({ children }: { children: string }) {
  return <code className="decisions-id">{toVisibleText(children)}</code>;
}

/** Who would act, if not the agent that asked. */
function formatSubject(subject: unknown): string | null {
  if (typeof subject !== "object" || subject === null) return null;
  if (!("type" in subject) || !("id" in subject)) return null;
  return toVisibleText(`${String(subject.type)} ${String(subject.id)}`);
}

function formatLatency(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds} µs` : `${(microseconds / 1000).toFixed(1)} ms`;
}
