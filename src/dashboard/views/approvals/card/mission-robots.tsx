import { Link } from "wouter";
import { toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useSearch } from "../../../data/use-search.ts";

const MissionRobotsQuery = graphql(`
  query ApprovalMission($id: ID!) {
    mission(id: $id) {
      id
      dispatch {
        allowedRobots {
          id
          name
          uuid
        }
      }
    }
  }
`);

/** More are only counted. */
const SHOWN = 10;

/** The robots of which one gets a mission. */
export function MissionRobots({ missionUuid }: { missionUuid: string }) {
  const { data } = useSearch(MissionRobotsQuery, { id: toGlobalId("Mission", missionUuid) });
  const robots = data?.mission.dispatch?.allowedRobots ?? [];
  const more = robots.length - SHOWN;
  return (
    <ul className="stack-s">
      {robots.slice(0, SHOWN).map(({ uuid, name }) => (
        <li key={uuid}>
          <Link href={`/robots/${uuid}`}>{name}</Link>
        </li>
      ))}
      {more > 0 && <li className="soft">{`and ${more.toLocaleString("en")} more`}</li>}
    </ul>
  );
}
