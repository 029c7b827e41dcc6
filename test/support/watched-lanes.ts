import type { LaneKey } from "../../src/db/lanes.ts";
import type { Services } from "../../src/domain/kernel/services.ts";

/** Services that record the lanes in which their database works, in the order of the turns asked for. */
export function watchLanes(services: Services): { services: Services; lanes: string[] } {
  const lanes: string[] = [];
  const { database } = services;
  const watched: typeof database = {
    ...database,
    runIn: (lane, getSignal) => (statement, values) => {
      lanes.push(`${lane.name} ${lane.owner}`);
      return database.runIn(lane, getSignal)(statement, values);
    },
    lanes: Object.assign(runInLane, { count: database.lanes.count }),
  };
  function runInLane<Result>(
    lane: LaneKey,
    work: () => Promise<Result>,
    signal?: AbortSignal | null,
  ): Promise<Result> {
    lanes.push(`${lane.name} ${lane.owner}`);
    return database.lanes(lane, work, signal);
  }
  return { services: { ...services, database: watched }, lanes };
}
