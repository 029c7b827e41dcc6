import { NotFound } from "../../../app/not-found.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { MissionActs } from "./mission-acts.tsx";
import { MissionFacts } from "./mission-facts.tsx";
import { MissionLead } from "./mission-lead.tsx";
import { MissionQuery } from "./mission-query.ts";
import { MissionSteps } from "./mission-steps.tsx";
import { WhyEnded } from "./why-ended.tsx";

const ABOVE = { href: "/missions", title: "Missions" };

/** One mission: how far it has come, step by step, and why it ended. */
export function MissionPage({ uuid }: { uuid: string }) {
  const { data, problem, isLoading, refresh } = useLiveQuery(
    MissionQuery,
    { id: globalId("Mission", uuid) },
    { types: ["mission.*"] },
  );
  if (problem?.code === "NOT_FOUND") return <NotFound what="mission" />;
  if (data === null) {
    return (
      <Page title="Mission" above={ABOVE}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} />
      </Page>
    );
  }
  const { mission } = data;
  return (
    <Page
      title={mission.title}
      above={ABOVE}
      lead={<MissionLead mission={mission} />}
      action={<MissionActs mission={mission} />}
    >
      <ErrorNote problem={problem} onRetry={refresh} />
      <WhyEnded error={mission.error} />
      <div className="missions-columns">
        <MissionSteps mission={mission} />
        <MissionFacts mission={mission} />
      </div>
    </Page>
  );
}
