import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { Empty } from "../../../ui/empty.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";

const RobotMissionsQuery = graphql(`
  query RobotMissions($first: Int, $after: String, $last: Int, $before: String, $id: ID!) {
    missions(first: $first, after: $after, last: $last, before: $before, filter: { robotId: $id }) {
      totalCount
      nodes {
        id
        uuid
        title
        status
        progress
        updatedAt
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`);

type RobotMission = ResultOf<typeof RobotMissionsQuery>["missions"]["nodes"][number];

const COLUMNS: readonly Column<RobotMission>[] = [
  { header: "Mission", cell: ({ title }) => title },
  { header: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { header: "Progress", cell: ({ progress }) => `${Math.round(progress * 100)} %` },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

/** What a robot was sent to do, the newest first. */
export function RobotMissions({ id }: { id: string }) {
  const query = useLiveQuery(RobotMissionsQuery, { ...usePaging(10), id }, { types: ["mission.*"] });
  return (
    <section className="stack-m" aria-labelledby="robot-missions">
      <h2 id="robot-missions">Missions</h2>
      <DataTable
        one="mission"
        many="missions"
        columns={COLUMNS}
        query={query}
        page={query.data?.missions ?? null}
        keyOf={({ uuid }) => uuid}
        hrefOf={({ uuid }) => `/missions/${uuid}`}
        empty={
          <Empty title="It had no mission yet">
            <Link href="/missions/new">Create a mission</Link>
          </Empty>
        }
      />
    </section>
  );
}
