import { Link } from "wouter";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatDuration } from "../../../ui/words.ts";
import { isCommandOpen } from "../command-statuses.ts";
import type { ShownCommand } from "./command-query.ts";
import { listSteps } from "./list-steps.ts";

/** A command's steps, and what it waits for. */
export function Timeline({ command }: { command: ShownCommand }) {
  const steps = listSteps(command);
  return (
    <section className="card stack-m" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol className="commands-timeline">
        {steps.map(({ name, at, took, note }) => (
          <li key={name} className={at === null ? "commands-step" : "commands-step commands-step-done"}>
            <span className="commands-step-name">{name}</span>
            <span className="small soft">{at === null ? "not yet" : <TimeAgo at={at} />}</span>
            {took !== null && <span className="small">after {took}</span>}
            {note !== null && <span className="small commands-note">{note}</span>}
          </li>
        ))}
      </ol>
      {isCommandOpen(command.status) && <WaitsFor command={command} />}
    </section>
  );
}

function WaitsFor({ command }: { command: ShownCommand }) {
  const { status, agent, expiresAt, notBefore, ackTimeoutSeconds, runTimeoutSeconds } = command;
  const name = agent?.name ?? "The agent";
  if (status === "AWAITING_APPROVAL") {
    return (
      <p className="small soft">
        A policy asks people first: <Link href={`/approvals/${command.approvalUuid}`}>View approval</Link>. It
        is not sent before they approve.
      </p>
    );
  }
  if (status === "DELIVERED") {
    return (
      <p className="small soft">
        {name} has it and must acknowledge it within {formatDuration(ackTimeoutSeconds)}. Otherwise it is
        delivered again.
      </p>
    );
  }
  if (status !== "QUEUED") {
    return (
      <p className="small soft">
        {name} has {formatDuration(runTimeoutSeconds)} after acknowledging it. Then the command times out.
      </p>
    );
  }
  return (
    <p className="small soft">
      {notBefore !== null && (
        <>
          Not delivered before <TimeAgo at={notBefore} />.{" "}
        </>
      )}
      It waits for its turn, and until {name} is online. It expires <TimeAgo at={expiresAt} />.
    </p>
  );
}
