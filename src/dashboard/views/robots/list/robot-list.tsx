import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { RobotMaps } from "../map/robot-maps.tsx";
import { ROBOT_COLUMNS } from "./robot-columns.tsx";
import { ROBOTS_STATE, robotFilterOf } from "./robot-filter.ts";
import { RobotFilters } from "./robot-filters.tsx";
import { useRobots } from "./use-robots.ts";

/** Robots where they are, and in rows. */
export function RobotList() {
  const filter = robotFilterOf(useUrlState(ROBOTS_STATE).values);
  const { query, page } = useRobots(filter);
  const robots = page?.nodes ?? [];
  const fleets = [...new Set(robots.flatMap(({ fleet }) => fleet ?? []))].toSorted();
  return (
    <Page title="Robots">
      <RobotFilters fleets={fleets} />
      <RobotMaps robots={robots} />
      <DataTable
        one="robot"
        many="robots"
        columns={ROBOT_COLUMNS}
        query={query}
        page={page}
        keyOf={({ uuid }) => uuid}
        hrefOf={({ uuid }) => `/robots/${uuid}`}
        allAt={isNarrowed(filter) ? "/robots" : null}
        empty={
          <Empty
            title="There is no robot yet"
            role="ADMIN"
            otherwise="An agent of kind robot appears here when it first reports its state."
          >
            Make an <a href="/settings/api-keys">API key</a>: an agent of kind robot appears here when it
            first reports its state.
          </Empty>
        }
      />
    </Page>
  );
}
