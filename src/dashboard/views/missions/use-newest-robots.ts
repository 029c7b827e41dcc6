import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import type { Option } from "../../ui/form/select-field.tsx";

const NewestRobots = graphql(`
  query NewestRobots {
    robots(first: 100) {
      nodes {
        id
        uuid
        status
        agent {
          id
          name
        }
      }
    }
  }
`);

/** The newest robots to choose from, by name. */
export function useNewestRobots(): Option[] {
  const { data } = useLiveQuery(
    NewestRobots,
    {},
    { types: ["agent.created", "robot.updated"], apartMs: 5000 },
  );
  return (data?.robots.nodes ?? [])
    .map(({ uuid, agent }): Option => [uuid, agent?.name ?? "A robot"])
    .toSorted(([, one], [, other]) => one.localeCompare(other, "en", { numeric: true }));
}
