import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { CONTROL_STATES } from "../../agents/list/agent-filter.ts";
import { RobotMaps } from "../map/robot-maps.tsx";
import { useTelemetry } from "../use-telemetry.ts";
import { ROBOT_COLUMNS } from "./robot-columns.tsx";
import { ROBOTS_STATE, toRobotFilter, ROBOT_STATUSES, type RobotFilter } from "./robot-filter.ts";
import { RobotListQuery } from "./robot-list-query.ts";

/** Robots on a map and as a list. */
export function RobotList() {
  const filter = toRobotFilter(useUrlState(ROBOTS_STATE).values);
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
        source={{ query: RobotListQuery, variables: { filter }, pick: ({ robots: found }) => found }}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/robots/${uuid}`}
        allAt={isNarrowed(filter) ? "/robots" : null}
        empty={
          <Empty
            title="No robots yet"
            role="ADMIN"
            otherwise="Robots appear here when they first report their state."
          >
            Create an <a href="/settings/api-keys">API key</a> for an agent of kind robot. It appears here
            when it first reports its state.
          </Empty>
        }
      />
    </Page>
  );
}

/** Filters for the map and the list. */
function RobotFilters({ fleets }: { fleets: readonly string[] }) {
  const { values, bind } = useUrlState(ROBOTS_STATE);
  return (
    <Filters>
      <TextField label="Search robots" type="search" {...bind("q")} />
      <SelectField label="Status" options={toOptions(ROBOT_STATUSES)} {...bind("status")} />
      <SelectField label="Control state" options={toOptions(CONTROL_STATES)} {...bind("control")} />
      <SuggestField key={values.fleet} label="Fleet" known={fleets} {...bind("fleet")} />
    </Filters>
  );
}

const FRESHNESS = {
  types: ["robot.*", "mission.*", "agent.*", "workspace.*", "agent_command.*"],
  everyMs: 30_000,
  apartMs: 1000,
};

/** A page of robots with live telemetry. */
function useRobots(filter: RobotFilter) {
  const query = useLiveQuery(RobotListQuery, { ...usePaging(), filter }, FRESHNESS);
  const telemetry = useTelemetry(null);
  if (query.data === null) return { query, page: null };
  const { robots, running, paused, assigned } = query.data;
  const titles = new Map(
    [running, paused, assigned].flatMap(({ nodes }) =>
      nodes.map(({ uuid, title }) => [uuid, title] as const),
    ),
  );
  const nodes = robots.nodes.map((robot) => ({
    ...robot,
    ...telemetry.get(robot.uuid),
    missionTitle: titles.get(robot.currentMissionUuid ?? "") ?? null,
  }));
  return { query, page: { ...robots, nodes } };
}
