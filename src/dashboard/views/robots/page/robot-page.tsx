import { NotFound } from "../../../app/not-found.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { AgentActs } from "../../agents/page/agent-acts.tsx";
import { useTelemetry } from "../use-telemetry.ts";
import { BatteryChart } from "./battery-chart.tsx";
import { RobotErrors } from "./robot-errors.tsx";
import { RobotFacts } from "./robot-facts.tsx";
import { RobotLead } from "./robot-lead.tsx";
import { RobotMissions } from "./robot-missions.tsx";
import { RobotQuery } from "./robot-query.ts";

const ABOVE = { href: "/robots", title: "Robots" };
const FRESHNESS = { types: ["robot.*", "agent.*"], everyMs: 30_000, apartMs: 1000 };

/** One robot: how it is, what is wrong with it, where it is, and what it was sent to do. */
export function RobotPage({ uuid }: { uuid: string }) {
  const id = globalId("Robot", uuid);
  const { data, problem, isLoading, refresh } = useLiveQuery(
    RobotQuery,
    { id, agentId: globalId("Agent", uuid) },
    FRESHNESS,
  );
  const telemetry = useTelemetry([id]).get(uuid);
  if (problem?.code === "NOT_FOUND") return <NotFound what="robot" />;
  if (data === null) {
    return (
      <Page title="Robot" above={ABOVE}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} />
      </Page>
    );
  }
  const robot = { ...data.robot, ...telemetry };
  return (
    <Page
      title={data.agent.name}
      above={ABOVE}
      lead={<RobotLead robot={robot} />}
      action={<AgentActs agent={data.agent} />}
    >
      <ErrorNote problem={problem} onRetry={refresh} />
      <p className="small soft">
        What is stopped here is stopped by a message over the network. That is no safety-rated emergency stop:
        where people are in danger, use the robot’s own.
      </p>
      <div className="robots-columns">
        <div className="stack">
          <RobotErrors errors={robot.errors} />
          <BatteryChart id={id} />
          <RobotMissions id={id} />
        </div>
        <RobotFacts robot={robot} />
      </div>
    </Page>
  );
}
