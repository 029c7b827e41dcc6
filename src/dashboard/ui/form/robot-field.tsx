import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";
import { toWords } from "../words.ts";
import { type Lookup, LookupField, type LookupFieldProps } from "./lookup-field.tsx";

const RobotChoice = graphql(`
  fragment RobotChoice on Robot {
    uuid
    fleet
    status
    batteryPercent
    agent {
      id
      name
    }
  }
`);

const RobotChoices = graphql(
  `
    query RobotChoices($search: String) {
      found: robots(first: 20, filter: { search: $search }) {
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

const ROBOTS: Lookup<ResultOf<typeof RobotChoice>> = {
  type: "Robot",
  choices: RobotChoices,
  chosen: ChosenRobot,
  getUuid: ({ uuid }) => uuid,
  getName: ({ agent }) => agent?.name ?? "Unnamed robot",
  getDetail: describeRobot,
};

function describeRobot({ fleet, status, batteryPercent }: ResultOf<typeof RobotChoice>): string {
  const battery = batteryPercent === null ? null : `${Math.round(batteryPercent)} %`;
  return [fleet, toWords(status), battery].filter((part) => part !== null).join(", ");
}

/** A field to choose a robot by part of its name, handle, manufacturer, model or serial number. */
export function RobotField(props: LookupFieldProps) {
  return <LookupField {...props} lookup={ROBOTS} />;
}
