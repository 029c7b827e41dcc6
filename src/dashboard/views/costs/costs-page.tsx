import { Link } from "wouter";
import { useUrlState } from "../../data/use-url-state.ts";
import { Filters } from "../../ui/form/filters.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { Page } from "../../ui/page.tsx";
import { CostReport } from "./cost-report.tsx";
import { listGroupings, parseGrouping } from "./cost-grouping.ts";
import { PERIOD_OPTIONS, parseCostPeriod } from "./cost-period.ts";

/** What is shown, in the URL. */
const STATE = { by: "agent", period: "week" };

/** What calls of models cost, by agent, model, task, and hour or day. */
export function CostsPage() {
  const { values, bind } = useUrlState(STATE);
  const period = parseCostPeriod(values.period);
  const grouping = parseGrouping(values.by);
  return (
    <Page
      title="Costs"
      lead="What calls of models cost. Agents report it afterwards, as often as their exporter sends: every 5 seconds by default."
      action={
        <Link className="button" href="/costs/prices">
          Prices
        </Link>
      }
    >
      <Filters>
        <SelectField label="Sum by" options={listGroupings(period)} {...bind("by")} value={grouping} />
        <SelectField label="Period" options={PERIOD_OPTIONS} {...bind("period")} value={period.name} />
      </Filters>
      <CostReport key={`${period.name} ${grouping}`} period={period} grouping={grouping} />
    </Page>
  );
}
