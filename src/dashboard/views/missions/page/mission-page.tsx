import { OnePage } from "../../../app/one-page.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { MissionActs } from "./mission-acts.tsx";
import { MissionFacts } from "./mission-facts.tsx";
import { MissionLead } from "./mission-lead.tsx";
import { MissionQuery } from "./mission-query.ts";
import { MissionSteps } from "./mission-steps.tsx";

const ABOVE = { href: "/missions", title: "Missions" };

/** One mission: how far it has come, step by step, and why it ended. */
export function MissionPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(MissionQuery, { id: globalId("Mission", uuid) }, { types: ["mission.*"] });
  return (
    <OnePage what="mission" above={ABOVE} query={query}>
      {({ mission }) => (
        <Page
          title={mission.title}
          above={ABOVE}
          lead={<MissionLead mission={mission} />}
          action={<MissionActs mission={mission} />}
        >
          <FailureNote error={mission.error} />
          <div className="with-aside">
            <MissionSteps mission={mission} />
            <MissionFacts mission={mission} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}
