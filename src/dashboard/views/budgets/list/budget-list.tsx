import { Link } from "wouter";
import { ActLink } from "../../../app/act-link.tsx";
import { graphql } from "../../../data/graphql.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { PageFields } from "../../../data/page-fields.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { BUDGET_FRESHNESS, BudgetFields, BudgetSumFields, UNITS } from "../budget-fields.ts";
import { BUDGET_COLUMNS } from "./budget-columns.tsx";

const BudgetsQuery = graphql(
  `
    query Budgets($first: Int, $after: String, $last: Int, $before: String, $filter: BudgetFilter) {
      budgets(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...BudgetFields
          windows(first: 1, order: FULLEST) {
            ...BudgetSumFields
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [BudgetFields, BudgetSumFields, PageFields],
);

/** Filters in the URL, with their defaults. */
const STATE = { unit: "", enabled: "" };

const UNIT_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["USD", "Dollars"],
  ["TOKENS", "Tokens"],
  ["CALLS", "Calls"],
];
const ENABLED_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["yes", "Enabled"],
  ["no", "Disabled"],
];

/** Each is read with the fullest of its sums. */
const PAGE_SIZE = 50;

/** The list of budgets, newest first. */
export function BudgetList() {
  const { values, bind } = useUrlState(STATE);
  const filter = {
    unit: UNITS.find((unit) => unit === values.unit) ?? null,
    enabled: values.enabled === "" ? null : values.enabled === "yes",
  };
  const query = useLiveQuery(BudgetsQuery, { ...usePaging(PAGE_SIZE), filter }, BUDGET_FRESHNESS);
  return (
    <Page
      title="Budgets"
      lead="The most that agents may use. What they report afterwards counts, but only what they reserve is held back in time."
      action={<ActLink href="/budgets/new" label="New budget" role="ADMIN" />}
    >
      <Filters>
        <SelectField label="Unit" options={UNIT_OPTIONS} {...bind("unit")} />
        <SelectField label="Enabled" options={ENABLED_OPTIONS} {...bind("enabled")} />
      </Filters>
      <DataTable
        one="budget"
        many="budgets"
        columns={BUDGET_COLUMNS}
        query={query}
        page={query.data?.budgets ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/budgets/${uuid}`}
        allAt={isNarrowed(filter) ? "/budgets" : null}
        empty={
          <Empty title="No budgets yet" role="ADMIN" otherwise="What agents may use appears here.">
            <Link href="/budgets/new">Create the first one</Link>: until then, agents use what they want.
          </Empty>
        }
      />
    </Page>
  );
}
