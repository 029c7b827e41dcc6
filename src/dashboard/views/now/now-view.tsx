import { useUrlState } from "../../data/use-url-state.ts";
import { SelectField } from "../../ui/form/select-field.tsx";
import { Page } from "../../ui/page.tsx";
import { FiringAlerts } from "./alerts/firing-alerts.tsx";
import { WaitingApprovals } from "./approvals/waiting-approvals.tsx";
import { SlowestAgents } from "./agents/slowest-agents.tsx";
import { Charts } from "./charts/charts.tsx";
import { Counters } from "./counters/counters.tsx";
import { FailureCauses } from "./failures/failure-causes.tsx";
import { FirstSteps } from "./first-steps.tsx";
import "./now.css";
import { Questions } from "./questions/questions.tsx";
import { LongestQueues } from "./queues/longest-queues.tsx";
import { Ticker } from "./ticker/ticker.tsx";
import { WaitingTools } from "./tools/waiting-tools.tsx";
import { WINDOW_OPTIONS, parseWindowName } from "../../ui/chart/windows.ts";

/** The start page: what waits for people, key numbers, charts, queues, failures, slow agents and recent events. */
export function NowView() {
  const { values, bind } = useUrlState({ window: "hour" });
  const window = parseWindowName(values.window);
  return (
    <Page
      title="Now"
      action={<SelectField label="Period" options={WINDOW_OPTIONS} {...bind("window")} value={window} />}
    >
      <FirstSteps />
      <FiringAlerts />
      <WaitingApprovals />
      <Questions />
      <WaitingTools />
      <Counters window={window} />
      <div className="with-aside">
        <div className="stack-m">
          <Charts key={window} window={window} />
          <div className="now-lists">
            <LongestQueues />
            <FailureCauses key={`failures ${window}`} window={window} />
            <SlowestAgents key={`slowest ${window}`} window={window} />
          </div>
        </div>
        <Ticker />
      </div>
    </Page>
  );
}
