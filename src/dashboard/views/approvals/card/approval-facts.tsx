import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { TaskLink } from "./task-link.tsx";

/** An approval's details. */
export function ApprovalFacts({ approval }: { approval: ShownApproval }) {
  const { policies, taskUuid, commandUuid, resourceAgent, agentUuid, subject } = approval;
  const { createdAt, approvedUntil, revokedAt, uses, usedCount } = approval;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Because of", <Policies key="policies" policies={policies} />],
    ...(taskUuid === null ? [] : [["Task", <TaskLink key="task" uuid={taskUuid} />] as const]),
    ...(subject === null || agentUuid === null ? [] : [["For", formatSubject(subject)] as const]),
    ...(commandUuid === null ? [] : [["Command", <CommandLink key="command" uuid={commandUuid} />] as const]),
    ...(resourceAgent === null
      ? []
      : [
          [
            "Agent",
            <Link key="agent" href={`/agents/${resourceAgent.uuid}`}>
              {resourceAgent.name}
            </Link>,
          ] as const,
        ]),
    ["Asked", <TimeAgo key="asked" at={createdAt} />],
    ...(approvedUntil === null || revokedAt !== null || commandUuid !== null
      ? []
      : [["Holds until", <TimeAgo key="until" at={approvedUntil} />] as const]),
    ...(approvedUntil === null || commandUuid !== null ? [] : [["Used", `${usedCount} of ${uses}`] as const]),
    [
      "Decision",
      <Link key="decision" href={`/decisions/${approval.decisionUuid}`}>
        View decision
      </Link>,
    ],
    ...(approval.traceId === null
      ? []
      : [["Trace ID", <code key="trace">{approval.traceId}</code>] as const]),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

function CommandLink({ uuid }: { uuid: string }) {
  return <Link href={`/commands/${uuid}`}>View command</Link>;
}

function Policies({ policies }: Pick<ShownApproval, "policies">) {
  return (
    <ul className="stack-s">
      {policies.map(({ uuid, name }) => (
        <li key={uuid}>
          <Link href={`/policies/${uuid}`}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

function formatSubject(subject: unknown): string {
  if (typeof subject !== "object" || subject === null) return "";
  if (!("type" in subject) || !("id" in subject)) return "";
  return toVisibleText(`${String(subject.type)} ${String(subject.id)}`);
}
