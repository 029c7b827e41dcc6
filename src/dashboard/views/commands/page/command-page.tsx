import { OnePage } from "../../../app/one-page.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
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
  const id = globalId("AgentCommand", uuid);
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
