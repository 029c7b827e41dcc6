import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { getOrderKind } from "../get-order-kind.ts";
import { MissionRobots } from "./mission-robots.tsx";
import { TaskLink } from "./task-link.tsx";

type Fact = readonly [name: string, value: ReactNode];

/** An approval's details. */
export function ApprovalFacts({ approval }: { approval: ShownApproval }) {
  const { policies, taskUuid, createdAt, traceId } = approval;
  const facts: Fact[] = [
    ["Because of", <Policies key="policies" policies={policies} />],
    ...(taskUuid === null ? [] : [["Task", <TaskLink key="task" uuid={taskUuid} />] as const]),
    ...listSubject(approval),
    ...listOrder(approval),
    ["Asked", <TimeAgo key="asked" at={createdAt} />],
    ...listUses(approval),
    [
      "Decision",
      <Link key="decision" href={`/decisions/${approval.decisionUuid}`}>
        View decision
      </Link>,
    ],
    ...(traceId === null ? [] : [["Trace ID", <code key="trace">{traceId}</code>] as const]),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

/** Who would act, if that is not who asks. */
function listSubject({ subject, subjectAgent, agentUuid }: ShownApproval): Fact[] {
  if (subject === null || agentUuid === null || subjectAgent?.uuid === agentUuid) return [];
  const name = subjectAgent === null ? formatSubject(subject) : <AgentLink agent={subjectAgent} />;
  return [["For", name]];
}

/** The command or mission that waits, and who is to do it. */
function listOrder({ commandUuid, missionUuid, missionTitle, resourceAgent }: ShownApproval): Fact[] {
  const target: Fact[] =
    resourceAgent === null
      ? []
      : [[missionUuid === null ? "Agent" : "Robot", <AgentLink key="agent" agent={resourceAgent} />]];
  if (commandUuid !== null) {
    return [
      [
        "Command",
        <Link key="command" href={`/commands/${commandUuid}`}>
          View command
        </Link>,
      ],
      ...target,
    ];
  }
  if (missionUuid === null) return target;
  const title = missionTitle === null ? "View mission" : toVisibleText(missionTitle);
  const robots: Fact[] =
    target.length > 0 ? target : [["One of", <MissionRobots key="robots" missionUuid={missionUuid} />]];
  return [
    [
      "Mission",
      <Link key="mission" href={`/missions/${missionUuid}`}>
        {title}
      </Link>,
    ],
    ...robots,
  ];
}

/** How an agent may use it. */
function listUses(approval: ShownApproval): Fact[] {
  const { approvedUntil, revokedAt, uses, usedCount } = approval;
  if (approvedUntil === null || getOrderKind(approval) !== null) return [];
  const used: Fact = ["Used", `${usedCount} of ${uses}`];
  return revokedAt === null ? [["Holds until", <TimeAgo key="until" at={approvedUntil} />], used] : [used];
}

function AgentLink({ agent: { uuid, name } }: { agent: { uuid: string; name: string } }) {
  return <Link href={`/agents/${uuid}`}>{name}</Link>;
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
