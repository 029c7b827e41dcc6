import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { toWords } from "../words.ts";
import { type Lookup, LookupField, type LookupFieldProps } from "./lookup-field.tsx";

const RobotChoice = graphql(`
  fragment RobotChoice on Robot {
    uuid
    fleet
    status
    controlState
    batteryPercent
    position
    acceptsMissions
    agent {
      id
      name
    }
  }
`);

const RobotChoices = graphql(
  `
    query RobotChoices($search: String) {
      found: robots(first: 100, filter: { search: $search }) {
        nodes {
          ...RobotChoice
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  `,
  [RobotChoice],
);

const ChosenRobot = graphql(
  `
    query ChosenRobot($id: ID!) {
      chosen: robot(id: $id) {
        ...RobotChoice
      }
    }
  `,
  [RobotChoice],
);

type Choice = ResultOf<typeof RobotChoice>;

export type RobotFieldProps = LookupFieldProps & {
  /** Measures how far a robot at this position is, in metres: the nearest that can work come first. Null: not known. */
  measure?: (position: unknown) => number | null;
};

/** A field to choose a robot by part of its name, handle, manufacturer, model or serial number. */
export function RobotField({ measure, ...props }: RobotFieldProps) {
  return <LookupField {...props} lookup={createLookup(measure ?? (() => null))} />;
}

function createLookup(measure: (position: unknown) => number | null): Lookup<Choice> {
  return {
    type: "Robot",
    choices: RobotChoices,
    chosen: ChosenRobot,
    getUuid: ({ uuid }) => uuid,
    getName: ({ agent }) => agent?.name ?? "Unnamed robot",
    getDetail: (robot) => describeRobot(robot, measure(robot.position)),
    getRank: (robot) => getRank(robot, measure(robot.position)),
  };
}

function describeRobot({ fleet, status, batteryPercent }: Choice, metres: number | null): string {
  const battery = batteryPercent === null ? null : `${Math.round(batteryPercent)} %`;
  const distance = metres === null ? null : `${metres.toFixed(1)} m away`;
  return [fleet, toWords(status), battery, distance].filter((part) => part !== null).join(", ");
}

/** Larger than any distance on a map. */
const FAR = 1e9;

/** Robots that can work by their distance, then those whose distance is not known, then those that can't. */
function getRank({ status, controlState, acceptsMissions }: Choice, metres: number | null): number {
  if (metres === null) return FAR;
  const canWork = acceptsMissions && controlState === "ACTIVE" && status !== "OFFLINE" && status !== "ERROR";
  return canWork ? metres : FAR + 1 + metres;
}
