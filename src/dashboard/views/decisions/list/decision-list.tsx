import { useState } from "react";
import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { getSpan } from "../../../ui/chart/use-span.ts";
import { Empty } from "../../../ui/empty.tsx";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { OUTCOMES } from "../decision-words.ts";
import { DECISION_COLUMNS } from "./decision-columns.tsx";
import { DecisionsQuery } from "./decision-rows.ts";
import { OutcomeChart } from "./outcome-chart.tsx";
import { chooseWindow, listPeriods, parsePeriod, type Period } from "./period.ts";

/** Filters in the URL, with their defaults. */
const STATE = { outcome: "", agent: "", period: "" };

const OUTCOME_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["ALLOW", "Allowed"],
  ["DENY", "Denied"],
  ["ASK", "Asked"],
];

/** Decisions have no events, since there may be thousands a second. */
const EVERY_SECONDS = 5;

const NONE_YET = (
  <Empty title="No decisions yet">
    Each time an agent asks with POST /api/v1/gateway/check, the answer appears here.
  </Empty>
);

/** What the gateway decided, newest first. */
export function DecisionList() {
  const { values, bind } = useUrlState(STATE);
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const isPaused = pausedAt !== null;
  const now = useNow();
  const period = parsePeriod(values.period);
  const window = chooseWindow(period, pausedAt ?? now);
  const span = getSpan(window, pausedAt ?? now);
  const filter = {
    outcome: OUTCOMES.find((outcome) => outcome === values.outcome) ?? null,
    agentId: isUuid(values.agent) ? toGlobalId("Agent", values.agent) : null,
    from: getStart(period, span.from),
  };
  const freshness = { types: [], ...(!isPaused && { everyMs: EVERY_SECONDS * 1000 }) };
  const query = useLiveQuery(DecisionsQuery, { ...usePaging(), filter }, freshness);
  function toggle(): void {
    setPausedAt(isPaused ? null : now);
    if (isPaused) query.refresh();
  }
  return (
    <Page
      title="Decisions"
      lead={`What agents asked the gateway, and what it said. ${isPaused ? "Paused." : `Read again every ${EVERY_SECONDS} seconds.`}`}
      action={
        <button type="button" className="button" onClick={toggle}>
          {isPaused ? "Resume feed" : "Pause feed"}
        </button>
      }
    >
      <Filters>
        <SelectField label="Outcome" options={OUTCOME_OPTIONS} {...bind("outcome")} />
        <AgentField label="Agent" none="All" {...bind("agent")} />
        <SelectField label="Period" options={listPeriods(values.period)} {...bind("period")} />
      </Filters>
      {filter.agentId === null && <OutcomeChart window={window} span={span} freshness={freshness} />}
      <DataTable
        one="decision"
        many="decisions"
        columns={DECISION_COLUMNS}
        query={query}
        page={query.data?.decisions ?? null}
        source={{ query: DecisionsQuery, variables: { filter }, pick: ({ decisions }) => decisions }}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/decisions/${uuid}`}
        allAt={isNarrowed(filter) ? "/decisions" : null}
        empty={NONE_YET}
      />
    </Page>
  );
}

function getStart(period: Period, start: string): string | null {
  if (period.kind === "any") return null;
  return period.kind === "since" ? period.at : start;
}
