import { NotFound } from "../../../app/not-found.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { CancelCommand } from "./cancel-command.tsx";
import { CommandContent } from "./command-content.tsx";
import { CommandFacts } from "./command-facts.tsx";
import { CommandLead } from "./command-lead.tsx";
import { CommandQuery } from "./command-query.ts";
import { Timeline } from "./timeline.tsx";

const ABOVE = { href: "/commands", title: "Commands" };

/** One command: how far it has come and how long each step took, what it says and what came of it. */
export function CommandPage({ uuid }: { uuid: string }) {
  const { data, problem, isLoading, refresh } = useLiveQuery(
    CommandQuery,
    { id: globalId("AgentCommand", uuid) },
    { types: ["agent_command.*"] },
  );
  if (problem?.code === "NOT_FOUND") return <NotFound what="command" />;
  if (data === null) {
    return (
      <Page title="Command" above={ABOVE}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} />
      </Page>
    );
  }
  const command = data.agentCommand;
  return (
    <Page
      title={command.type}
      above={ABOVE}
      lead={<CommandLead command={command} />}
      action={<CancelCommand command={command} />}
    >
      <ErrorNote problem={problem} onRetry={refresh} />
      <div className="commands-columns">
        <div className="stack">
          <Timeline command={command} />
          <CommandContent command={command} />
        </div>
        <CommandFacts command={command} />
      </div>
    </Page>
  );
}
