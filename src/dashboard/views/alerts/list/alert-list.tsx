import { Link } from "wouter";
import { ActLink } from "../../../app/act-link.tsx";
import { graphql } from "../../../data/graphql.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { ALERT_FRESHNESS, ALERT_STATES, AlertFields } from "../alert-fields.ts";
import { ALERT_COLUMNS } from "./alert-columns.tsx";

const AlertsQuery = graphql(
  `
    query Alerts($first: Int, $after: String, $last: Int, $before: String, $filter: AlertRuleFilter) {
      alertRules(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...AlertFields
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [AlertFields, PageFields],
);

/** Filters in the URL, with their defaults. */
const STATE = { state: "", enabled: "" };

const ENABLED_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["yes", "Enabled"],
  ["no", "Disabled"],
];

/** The list of alert rules, newest first. */
export function AlertList() {
  const { values, bind } = useUrlState(STATE);
  const filter = toFilter(values);
  const query = useLiveQuery(AlertsQuery, { ...usePaging(), filter }, ALERT_FRESHNESS);
  return (
    <Page
      title="Alerts"
      lead={<Lead />}
      action={<ActLink href="/alerts/new" label="New alert rule" role="ADMIN" />}
    >
      <Filters>
        <SelectField label="State" options={toOptions(ALERT_STATES)} {...bind("state")} />
        <SelectField label="Enabled" options={ENABLED_OPTIONS} {...bind("enabled")} />
      </Filters>
      <DataTable
        one="alert rule"
        many="alert rules"
        columns={ALERT_COLUMNS}
        query={query}
        page={query.data?.alertRules ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/alerts/${uuid}`}
        allAt={isNarrowed(filter) ? "/alerts" : null}
        empty={
          <Empty title="No alert rules yet" role="ADMIN" otherwise="What people are told of appears here.">
            <Link href="/alerts/new">Create the first one</Link>: until then, nobody is told when something
            goes wrong.
          </Empty>
        }
      />
    </Page>
  );
}

function Lead() {
  const mayTell = useIsAtLeast("ADMIN");
  const hooks = "webhooks and chats";
  return (
    <>
      A rule fires while what it watches is above a threshold. It tells{" "}
      {mayTell ? <a href="/settings/webhooks">{hooks}</a> : hooks}, and people{" "}
      <a href="/settings/notifications">by email</a>.
    </>
  );
}

/** Disabled rules have no state for people. */
function toFilter({ state, enabled }: Readonly<Record<keyof typeof STATE, string>>) {
  const wanted = ALERT_STATES.find((one) => one === state) ?? null;
  const isEnabled = enabled === "" ? null : enabled === "yes";
  return { state: wanted, enabled: wanted === null ? isEnabled : (isEnabled ?? true) };
}
