import type { ReactNode } from "react";
import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import { getIssuerName } from "../get-issuer-name.ts";
import type { ShownCommand } from "./command-query.ts";

type Fact = readonly [name: string, value: ReactNode];

/** What its expiry is called: of a command that has finished, nothing expires any more. */
function nameExpiry({ finishedAt, expiresAt }: ShownCommand): string {
  if (finishedAt === null) return "Expires";
  return new Date(expiresAt) < new Date() ? "Would have expired" : "Would expire";
}

/** A command's details. */
export function CommandFacts({ command }: { command: ShownCommand }) {
  const facts: Fact[] = [
    [
      "Agent",
      <Link key="agent" href={`/agents/${command.agentUuid}`}>
        {command.agent?.name ?? "Unnamed agent"}
      </Link>,
    ],
    ["Issued by", getIssuerName(command.issuedBy)],
    ["Issued", <TimeAgo key="issued" at={command.createdAt} />],
    [nameExpiry(command), <TimeAgo key="expires" at={command.expiresAt} />],
    ["Priority", toWords(command.priority)],
    ["Number", `${command.seq} of its agent’s`],
    ["Deliveries", String(command.deliveryAttempts)],
    ...createLinkFact("Batch", {
      uuid: command.batchId,
      place: "/commands/batches/",
      label: "View batch",
    }),
    ...createLinkFact("Task", { uuid: command.taskUuid, place: "/tasks/", label: "View task" }),
    ...createLinkFact("Mission", { uuid: command.missionUuid, place: "/missions/", label: "View mission" }),
    ...createLinkFact("Approval", {
      uuid: command.approvalUuid,
      place: "/approvals/",
      label: "View approval",
    }),
    ...createLinkFact("Decision", {
      uuid: command.decisionUuid,
      place: "/decisions/",
      label: "View decision",
    }),
  ];
  return (
    <section className="card" aria-label="Details">
      <Facts facts={facts} />
    </section>
  );
}

type Linked = { uuid: string | null; place: string; label: string };

function createLinkFact(name: string, { uuid, place, label }: Linked): Fact[] {
  if (uuid === null) return [];
  const link = <Link href={place + uuid}>{label}</Link>;
  return [[name, link]];
}
