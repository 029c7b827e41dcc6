import { NotFound } from "../../../app/not-found.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { AgentActs } from "./agent-acts.tsx";
import { AgentCharts } from "./agent-charts.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { AgentLead } from "./agent-lead.tsx";
import { AgentQuery } from "./agent-query.ts";
import { AgentTabs } from "./agent-tabs.tsx";
import { CurrentWork } from "./current-work.tsx";

const ABOVE = { href: "/agents", title: "Agents" };
const FRESHNESS = { types: ["agent.*", "task.*", "mission.*"], everyMs: 5000, apartMs: 1000 };

/** One agent: whether it is there, what it works on, what it may do, and what it has done. */
export function AgentPage({ uuid }: { uuid: string }) {
  const id = globalId("Agent", uuid);
  const { data, problem, isLoading, refresh } = useLiveQuery(
    AgentQuery,
    { id, robotId: globalId("Robot", uuid) },
    FRESHNESS,
  );
  if (problem?.code === "NOT_FOUND") return <NotFound what="agent" />;
  if (data === null) {
    return (
      <Page title="Agent" above={ABOVE}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} />
      </Page>
    );
  }
  const { agent, running, paused, assigned } = data;
  const missions = [running, paused, assigned].flatMap(({ nodes }) => nodes);
  return (
    <Page
      title={agent.name}
      above={ABOVE}
      lead={<AgentLead agent={agent} />}
      action={<AgentActs agent={agent} />}
    >
      <ErrorNote problem={problem} onRetry={refresh} />
      <div className="agents-columns">
        <div className="stack">
          <CurrentWork tasks={agent.currentTasks} missions={missions} />
          <AgentCharts uuid={uuid} />
          <AgentTabs agent={agent} />
        </div>
        <AgentFacts agent={agent} />
      </div>
    </Page>
  );
}
