import { ActLink } from "../../../app/act-link.tsx";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { RobotField } from "../../../ui/form/robot-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { MISSION_KINDS, MISSION_STATUSES } from "../mission-states.ts";
import { MISSION_COLUMNS } from "./mission-columns.tsx";
import { MISSIONS_STATE, toMissionFilter } from "./mission-filter.ts";
import { MissionsQuery } from "./mission-rows.ts";
import { Link } from "wouter";

/** The list of missions, newest first. */
export function MissionList() {
  const filter = toMissionFilter(useUrlState(MISSIONS_STATE).values);
  const query = useLiveQuery(MissionsQuery, { ...usePaging(), filter }, { types: ["mission.*"] });
  return (
    <Page title="Missions" action={<ActLink href="/missions/new" label="New mission" />}>
      <MissionFilters />
      <DataTable
        one="mission"
        many="missions"
        columns={MISSION_COLUMNS}
        query={query}
        page={query.data?.missions ?? null}
        source={{ query: MissionsQuery, variables: { filter }, pick: ({ missions }) => missions }}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/missions/${uuid}`}
        allAt={isNarrowed(filter) ? "/missions" : null}
        empty={
          <Empty
            title="No missions yet"
            role="OPERATOR"
            otherwise="Missions appear here when agents or operators create them."
          >
            <Link href="/missions/new">Create the first one</Link>. The next free robot takes it.
          </Empty>
        }
      />
    </Page>
  );
}

function MissionFilters() {
  const { bind } = useUrlState(MISSIONS_STATE);
  return (
    <Filters>
      <SelectField label="Status" options={toOptions(MISSION_STATUSES)} {...bind("status")} />
      <SelectField label="Kind" options={toOptions(MISSION_KINDS)} {...bind("kind")} />
      <RobotField label="Robot" none="Any" {...bind("robot")} />
    </Filters>
  );
}
