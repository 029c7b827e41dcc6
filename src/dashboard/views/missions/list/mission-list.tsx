import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { wordsOf } from "../../../ui/words.ts";
import { hasMissionEnded } from "../mission-states.ts";
import { MISSIONS_STATE, missionFilterOf } from "./mission-filter.ts";
import { MissionFilters } from "./mission-filters.tsx";

const MissionListQuery = graphql(`
  query MissionList($first: Int, $after: String, $last: Int, $before: String, $filter: MissionFilter) {
    missions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      nodes {
        id
        uuid
        title
        kind
        status
        progress
        cancelRequestedAt
        robot {
          id
          uuid
          agent {
            id
            name
          }
        }
        createdAt
        finishedAt
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

type ListedMission = ResultOf<typeof MissionListQuery>["missions"]["nodes"][number];

const COLUMNS: readonly Column<ListedMission>[] = [
  { header: "Mission", cell: ({ title }) => title },
  { header: "Status", cell: Status },
  { header: "Progress", cell: ({ progress }) => `${Math.round(progress * 100)} %` },
  { header: "Robot", cell: RobotLink },
  { header: "Kind", cell: ({ kind }) => wordsOf(kind) },
  { header: "Created", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
  { header: "Ended", cell: ({ finishedAt }) => <TimeAgo at={finishedAt} />, isEnd: true },
];

/** Missions in rows, the newest first. */
export function MissionList() {
  const filter = missionFilterOf(useUrlState(MISSIONS_STATE).values);
  const query = useLiveQuery(MissionListQuery, { ...usePaging(), filter }, { types: ["mission.*"] });
  const isNarrowed = Object.values(filter).some((value) => value !== null);
  return (
    <Page title="Missions" action={<NewLink />}>
      <MissionFilters />
      <DataTable
        one="mission"
        many="missions"
        columns={COLUMNS}
        query={query}
        page={query.data?.missions ?? null}
        keyOf={({ uuid }) => uuid}
        hrefOf={({ uuid }) => `/missions/${uuid}`}
        empty={
          isNarrowed ? (
            <Empty title="No mission is like this">
              <Link href="/missions">See all missions</Link>
            </Empty>
          ) : (
            <Empty title="There is no mission yet">
              <Link href="/missions/new">Create the first one</Link>: a robot that is free takes it.
            </Empty>
          )
        }
      />
    </Page>
  );
}

function NewLink() {
  if (!useIsAtLeast("OPERATOR")) return null;
  return (
    <Link className="button button-primary" href="/missions/new">
      New mission
    </Link>
  );
}

function Status({ status, cancelRequestedAt }: ListedMission) {
  if (cancelRequestedAt !== null && !hasMissionEnded(status))
    return <StatusChip status="IS_BEING_CANCELED" tone="warn" />;
  return <StatusChip status={status} />;
}

function RobotLink({ robot }: ListedMission) {
  if (robot === null) return <span className="soft">none yet</span>;
  return <Link href={`/robots/${robot.uuid}`}>{robot.agent?.name ?? "A robot"}</Link>;
}
