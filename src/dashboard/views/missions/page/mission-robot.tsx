import { Fragment } from "react";
import { Link } from "wouter";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";
import { hasMissionEnded } from "../mission-states.ts";
import type { ShownMission } from "./mission-query.ts";

const RequestedRobot = graphql(`
  query RequestedRobot($id: ID!) {
    robot(id: $id) {
      id
      agent {
        id
        name
      }
    }
  }
`);

/** The mission's robot, or which robots it waits for. */
export function MissionRobot({ mission }: { mission: ShownMission }) {
  const { robot, selector, dispatch, status } = mission;
  if (robot !== null)
    return <Link href={`/robots/${robot.uuid}`}>{robot.agent?.name ?? "Unnamed robot"}</Link>;
  if (hasMissionEnded(status)) return "never assigned";
  const requested = dispatch?.requestedRobotUuid ?? null;
  if (requested !== null) return <Requested uuid={requested} />;
  const allowed = dispatch?.allowedRobots ?? [];
  if (allowed.length > 0) return <Allowed robots={allowed} />;
  return selector === null ? "none yet" : <code>{JSON.stringify(selector)}</code>;
}

function Requested({ uuid }: { uuid: string }) {
  const { data } = useSearch(RequestedRobot, { id: toGlobalId("Robot", uuid) });
  return (
    <>
      waits for <Link href={`/robots/${uuid}`}>{data?.robot.agent?.name ?? "a robot"}</Link>
    </>
  );
}

/** More are only counted. */
const SHOWN = 5;

/** The robots to which policies let it be assigned. */
function Allowed({ robots }: { robots: NonNullable<ShownMission["dispatch"]>["allowedRobots"] }) {
  const more = robots.length - SHOWN;
  return (
    <>
      waits for{" "}
      {robots.slice(0, SHOWN).map(({ uuid, name }, place) => (
        <Fragment key={uuid}>
          {place > 0 && " or "}
          <Link href={`/robots/${uuid}`}>{name}</Link>
        </Fragment>
      ))}
      {more > 0 && ` or ${more.toLocaleString("en")} more`}
    </>
  );
}
