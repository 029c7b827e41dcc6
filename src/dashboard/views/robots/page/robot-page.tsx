import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { AgentActs } from "../../agents/page/agent-acts.tsx";
import { parseErrors } from "../parse-errors.ts";
import { useTelemetry } from "../use-telemetry.ts";
import { BatteryChart } from "./battery-chart.tsx";
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

export function RobotPage({ uuid }: { uuid: string }) {
  const id = toGlobalId("Robot", uuid);
  const query = useLiveQuery(RobotQuery, { id, agentId: toGlobalId("Agent", uuid) }, FRESHNESS);
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
        Stopping here sends a message over the network. It is not a safety-rated emergency stop. If people are
        in danger, use the robot’s own.
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

/** A robot's errors, worst first, with hints. */
function RobotErrors({ errors }: { errors: unknown }) {
  const known = parseErrors(errors);
  return (
    <section className="card stack-m" aria-labelledby="robot-errors">
      <h2 id="robot-errors">Errors</h2>
      {known.length === 0 && <p className="soft">None reported.</p>}
      {known.length > 0 && (
        <ul className="robots-errors">
          {known.map(({ type, level, description, hint }) => (
            <li key={`${level} ${type} ${description ?? ""}`} className="stack-s">
              <span className="in-line">
                <StatusChip status={level} />
                <strong>{type}</strong>
              </span>
              {description !== null && <p>{description}</p>}
              {hint !== null && <p className="soft">Suggestion: {hint}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
