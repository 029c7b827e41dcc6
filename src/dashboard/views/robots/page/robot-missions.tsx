import { Link } from "wouter";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { Empty } from "../../../ui/empty.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { ROBOT_MISSION_COLUMNS } from "../../missions/list/mission-columns.tsx";
import { MissionsQuery } from "../../missions/list/mission-rows.ts";

/** A robot's missions, newest first. */
export function RobotMissions({ id }: { id: string }) {
  const variables = { ...usePaging(10), filter: { robotId: id } };
  const query = useLiveQuery(MissionsQuery, variables, { types: ["mission.*"] });
  return (
    <section className="stack-m" aria-labelledby="robot-missions">
      <h2 id="robot-missions">Missions</h2>
      <DataTable
        one="mission"
        many="missions"
        columns={ROBOT_MISSION_COLUMNS}
        query={query}
        page={query.data?.missions ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/missions/${uuid}`}
        empty={
          <Empty title="No missions yet" role="OPERATOR" otherwise="Missions of this robot appear here.">
            <Link href="/missions/new">Create a mission</Link>
          </Empty>
        }
      />
    </section>
  );
}
