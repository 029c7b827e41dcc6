import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useTelemetry } from "../use-telemetry.ts";
import { RobotListQuery } from "./robot-list-query.ts";
import type { RobotFilter } from "./robot-filter.ts";

const FRESHNESS = {
  types: ["robot.*", "mission.*", "agent.*", "workspace.*", "agent_command.*"],
  everyMs: 30_000,
  apartMs: 1000,
};

/** A page of the robots of a filter, as they report themselves. */
export function useRobots(filter: RobotFilter) {
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
