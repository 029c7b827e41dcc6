import { OnePage } from "../../../app/one-page.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Page } from "../../../ui/page.tsx";
import { AgentActs } from "../../agents/page/agent-acts.tsx";
import { useTelemetry } from "../use-telemetry.ts";
import { BatteryChart } from "./battery-chart.tsx";
import { RobotErrors } from "./robot-errors.tsx";
import { RobotFacts } from "./robot-facts.tsx";
import { RobotLead } from "./robot-lead.tsx";
import { RobotMissions } from "./robot-missions.tsx";
import { RobotQuery, type ShownRobot } from "./robot-query.ts";

const ABOVE = { href: "/robots", title: "Robots" };
const FRESHNESS = {
  types: ["robot.*", "agent.*", "workspace.*", "agent_command.*"],
  everyMs: 30_000,
  apartMs: 1000,
};

/** One robot: how it is, what is wrong with it, where it is, and what it was sent to do. */
export function RobotPage({ uuid }: { uuid: string }) {
  const id = globalId("Robot", uuid);
  const query = useLiveQuery(RobotQuery, { id, agentId: globalId("Agent", uuid) }, FRESHNESS);
  const telemetry = useTelemetry([id]).get(uuid);
  return (
    <OnePage what="robot" above={ABOVE} query={query}>
      {(data) => {
        const robot = { ...data.robot, ...telemetry };
        return (
          <Page
            title={data.agent.name}
            above={ABOVE}
            lead={<RobotLead robot={robot} />}
            action={<AgentActs agent={data.agent} />}
          >
            <RobotContent robot={robot} />
          </Page>
        );
      }}
    </OnePage>
  );
}

function RobotContent({ robot }: { robot: ShownRobot }) {
  return (
    <>
      <p className="small soft">
        What is stopped here is stopped by a message over the network. That is no safety-rated emergency stop:
        where people are in danger, use the robot’s own.
      </p>
      <div className="with-aside">
        <div className="stack">
          <RobotErrors errors={robot.errors} />
          <BatteryChart id={robot.id} />
          <RobotMissions id={robot.id} />
        </div>
        <RobotFacts robot={robot} />
      </div>
    </>
  );
}
