import { useSearchParams } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { MissionQuery } from "../page/mission-query.ts";
import { EMPTY_MISSION, type TypedMission, toTypedMission } from "./mission-input.ts";
import { NewMissionForm } from "./new-mission-form.tsx";

const ABOVE = { href: "/missions", title: "Missions" };

/** The form for a new mission, filled in as the mission `like` in the URL was, if there is one. */
export function NewMissionPage() {
  const [params] = useSearchParams();
  const like = params.get("like") ?? "";
  return isUuid(like) ? <Again uuid={like} /> : <FormPage initial={EMPTY_MISSION} />;
}

function Again({ uuid }: { uuid: string }) {
  const query = useLiveQuery(MissionQuery, { id: toGlobalId("Mission", uuid) }, { types: [] });
  return (
    <OnePage what="mission" above={ABOVE} query={query}>
      {({ mission }) => <FormPage initial={toTypedMission(mission)} />}
    </OnePage>
  );
}

function FormPage({ initial }: { initial: TypedMission }) {
  const mayCreate = useIsAtLeast("OPERATOR");
  return (
    <Page title="New mission" above={ABOVE}>
      {mayCreate ? (
        <NewMissionForm initial={initial} />
      ) : (
        <p>You need the operator role to create missions. Ask an admin.</p>
      )}
    </Page>
  );
}
