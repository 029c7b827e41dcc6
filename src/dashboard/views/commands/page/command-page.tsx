import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Json } from "../../../ui/json.tsx";
import { Page } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { CancelCommand } from "./cancel-command.tsx";
import { CommandFacts } from "./command-facts.tsx";
import { CommandQuery, type ShownCommand } from "./command-query.ts";
import { Timeline } from "./timeline.tsx";
import { Link } from "wouter";

const ABOVE = { href: "/commands", title: "Commands" };

export function CommandPage({ uuid }: { uuid: string }) {
  const id = toGlobalId("AgentCommand", uuid);
  const query = useLiveQuery(CommandQuery, { id }, { types: ["agent_command.*"] });
  return (
    <OnePage what="command" above={ABOVE} query={query}>
      {({ agentCommand: command }) => (
        <Page
          title={command.type}
          above={ABOVE}
          lead={<CommandLead command={command} />}
          action={<CancelCommand command={command} />}
        >
          <div className="with-aside">
            <div className="stack">
              <Timeline command={command} />
              <CommandContent command={command} />
            </div>
            <CommandFacts command={command} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

/** A command's params and result. */
function CommandContent({ command: { params, result, error } }: { command: ShownCommand }) {
  const isWithoutParams = typeof params === "object" && params !== null && Object.keys(params).length === 0;
  return (
    <>
      <FailureNote error={error} />
      {result !== null && (
        <section className="card stack-m" aria-labelledby="command-result">
          <h2 id="command-result">Result</h2>
          <Json value={result} label="Result as JSON" />
        </section>
      )}
      <section className="card stack-m" aria-labelledby="command-params">
        <h2 id="command-params">Params</h2>
        {isWithoutParams ? <p className="soft">None.</p> : <Json value={params} label="Params as JSON" />}
      </section>
    </>
  );
}

/** A command's status and agent in one line. */
function CommandLead({ command }: { command: ShownCommand }) {
  const { status, late, statusDetail, agent, agentUuid, progress, type } = command;
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {late && <StatusChip status="LATE_RESULT" tone="warn" />}
      <span>
        to <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "unnamed agent"}</Link>
      </span>
      {status === "RUNNING" && progress !== null && <Progress value={progress} of={type} />}
      {statusDetail !== null && <span>{statusDetail}</span>}
    </div>
  );
}
