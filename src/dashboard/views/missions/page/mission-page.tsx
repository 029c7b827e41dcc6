import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { hasMissionEnded } from "../mission-states.ts";
import { MissionActs } from "./mission-acts.tsx";
import { MissionFacts } from "./mission-facts.tsx";
import { MissionQuery, type ShownMission } from "./mission-query.ts";
import { MissionSteps } from "./mission-steps.tsx";

const ABOVE = { href: "/missions", title: "Missions" };

/** One mission: its progress, its steps, and why it ended. */
export function MissionPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(MissionQuery, { id: toGlobalId("Mission", uuid) }, { types: ["mission.*"] });
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
          {mission.status === "AWAITING_APPROVAL" && (
            <p className="notice notice-warn">
              A policy asks people first:{" "}
              <Link href={`/approvals/${mission.approvalUuid}`}>View approval</Link>. It is not assigned
              before they approve.
            </p>
          )}
          <div className="with-aside">
            <MissionSteps mission={mission} />
            <MissionFacts mission={mission} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

/** A mission's state in one line. */
function MissionLead({ mission }: { mission: ShownMission }) {
  const { status, progress, title, cancelRequestedAt, deadlineAt } = mission;
  const hasEnded = hasMissionEnded(status);
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {!hasEnded && cancelRequestedAt !== null && <StatusChip status="IS_BEING_CANCELED" tone="warn" />}
      <Progress value={progress} of={title} />
      {!hasEnded && deadlineAt !== null && (
        <span>
          due <TimeAgo at={deadlineAt} />
        </span>
      )}
    </div>
  );
}
