import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";
import type { EarlierMission } from "./mission-input.ts";
import { listPlaces } from "./first-place.ts";
import { type Spot, toTypedStep } from "./step-types.ts";

const RecentMissions = graphql(`
  query RecentMissions {
    missions(first: 30) {
      nodes {
        id
        uuid
        title
        kind
        minBatteryPercent
        priority
        selector
        steps {
          key
          type
          params
        }
      }
    }
  }
`);

/** What the last missions had, to choose from. */
export type Recent = {
  /** Those with other steps than newer ones. The newest is first. */
  missions: readonly (EarlierMission & { uuid: string })[];
  stations: readonly string[];
  actions: readonly string[];
  /** Where the stations are, as far as steps said it. */
  places: ReadonlyMap<string, Spot>;
};

/** What the last 30 missions had. Nothing until it is loaded. */
export function useRecentMissions(): Recent {
  const { data } = useSearch(RecentMissions, {});
  const missions = data?.missions.nodes ?? [];
  const steps = missions.flatMap((mission) => mission.steps.map((step) => toTypedStep(0, step)));
  return {
    missions: [...new Map(missions.toReversed().map((each) => [getShape(each), each])).values()].toReversed(),
    stations: listNames(steps.map(({ station }) => station)),
    actions: listNames(steps.map(({ action }) => action)),
    places: listPlaces(missions.flatMap((mission) => mission.steps.map(({ params }) => params))),
  };
}

function getShape({ kind, steps }: EarlierMission): string {
  return JSON.stringify([kind, steps]);
}

function listNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== "").toSorted((one, other) => one.localeCompare(other));
}
