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
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { ExportButton } from "../file/export-button.tsx";
import { EFFECTS, MODES, POLICY_FRESHNESS, PolicyFields } from "../policy-fields.ts";
import { POLICY_COLUMNS } from "./policy-columns.tsx";
import { Link } from "wouter";

const PoliciesQuery = graphql(
  `
    query Policies($first: Int, $after: String, $last: Int, $before: String, $filter: PolicyFilter) {
      policies(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        totalCount
        nodes {
          ...PolicyFields
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PolicyFields, PageFields],
);

/** Filters in the URL, with their defaults. */
const STATE = { effect: "", mode: "", enabled: "" };

const EFFECT_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["ALLOW", "Allow"],
  ["ASK", "Ask a person"],
  ["DENY", "Deny"],
];
const MODE_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["ENFORCE", "Enforced"],
  ["MONITOR", "Monitored"],
];
const ENABLED_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["yes", "Enabled"],
  ["no", "Disabled"],
];

/** The list of policies, newest first. */
export function PolicyList() {
  const { values, bind } = useUrlState(STATE);
  const filter = {
    effect: EFFECTS.find((effect) => effect === values.effect) ?? null,
    mode: MODES.find((mode) => mode === values.mode) ?? null,
    enabled: values.enabled === "" ? null : values.enabled === "yes",
  };
  const query = useLiveQuery(PoliciesQuery, { ...usePaging(), filter }, POLICY_FRESHNESS);
  return (
    <Page
      title="Policies"
      lead="Of the policies that apply to a request, deny wins over ask, and ask over allow."
      action={<ListActs />}
    >
      <Filters>
        <SelectField label="Effect" options={EFFECT_OPTIONS} {...bind("effect")} />
        <SelectField label="Mode" options={MODE_OPTIONS} {...bind("mode")} />
        <SelectField label="Enabled" options={ENABLED_OPTIONS} {...bind("enabled")} />
      </Filters>
      <DataTable
        one="policy"
        many="policies"
        columns={POLICY_COLUMNS}
        query={query}
        page={query.data?.policies ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/policies/${uuid}`}
        allAt={isNarrowed(filter) ? "/policies" : null}
        empty={
          <Empty title="No policies yet" role="ADMIN" otherwise="What agents may do appears here.">
            <Link href="/policies/new">Write the first one</Link>: until then, agents that ask may do nothing.
          </Empty>
        }
      />
    </Page>
  );
}

function ListActs() {
  const mayImport = useIsAtLeast("ADMIN");
  return (
    <>
      <Link className="button" href="/policies/test">
        Test a request
      </Link>
      <ExportButton />
      {mayImport && (
        <Link className="button" href="/policies/import">
          Import
        </Link>
      )}
      <ActLink href="/policies/new" label="New policy" role="ADMIN" />
    </>
  );
}
