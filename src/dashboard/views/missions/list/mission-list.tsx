import { Link } from "wouter";
import { ActLink } from "../../../app/act-link.tsx";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { MISSION_COLUMNS } from "./mission-columns.tsx";
import { MISSIONS_STATE, missionFilterOf } from "./mission-filter.ts";
import { MissionFilters } from "./mission-filters.tsx";
import { MissionsQuery } from "./mission-rows.ts";

/** Missions in rows, the newest first. */
export function MissionList() {
  const filter = missionFilterOf(useUrlState(MISSIONS_STATE).values);
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
        keyOf={({ uuid }) => uuid}
        hrefOf={({ uuid }) => `/missions/${uuid}`}
        allAt={isNarrowed(filter) ? "/missions" : null}
        empty={
          <Empty
            title="There is no mission yet"
            role="OPERATOR"
            otherwise="Missions appear here as soon as agents or operators create some."
          >
            <Link href="/missions/new">Create the first one</Link>: a robot that is free takes it.
          </Empty>
        }
      />
    </Page>
  );
}
