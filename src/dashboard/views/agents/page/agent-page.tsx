import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Page } from "../../../ui/page.tsx";
import { AgentActs } from "./agent-acts.tsx";
import { AgentCharts } from "./agent-charts.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { AgentLead } from "./agent-lead.tsx";
import { AgentQuery } from "./agent-query.ts";
import { AgentTabs } from "./agent-tabs.tsx";
import { CurrentWork } from "./current-work.tsx";

const ABOVE = { href: "/agents", title: "Agents" };
const FRESHNESS = { types: ["agent.*", "task.*", "mission.*", "workspace.*"], everyMs: 5000, apartMs: 1000 };

export function AgentPage({ uuid }: { uuid: string }) {
  const ids = { id: toGlobalId("Agent", uuid), robotId: toGlobalId("Robot", uuid) };
  const query = useLiveQuery(AgentQuery, ids, FRESHNESS);
  return (
    <OnePage what="agent" above={ABOVE} query={query}>
      {({ agent, running, paused, assigned }) => (
        <Page
          title={agent.name}
          above={ABOVE}
          lead={<AgentLead agent={agent} />}
          action={<AgentActs agent={agent} />}
        >
          <div className="with-aside">
            <div className="stack">
              <CurrentWork
                tasks={agent.currentTasks}
                missions={[running, paused, assigned].flatMap(({ nodes }) => nodes)}
              />
              <AgentCharts uuid={uuid} />
              <AgentTabs agent={agent} />
            </div>
            <AgentFacts agent={agent} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}
