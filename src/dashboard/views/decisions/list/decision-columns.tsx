import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { explainReason } from "../decision-words.ts";
import { Asker } from "../asker.tsx";
import { OutcomeChips } from "../outcome-chips.tsx";
import type { DecisionRow } from "./decision-rows.ts";

export const DECISION_COLUMNS: readonly Column<DecisionRow>[] = [
  { header: "Request", cell: RequestName },
  { header: "Outcome", cell: ({ outcome, would }) => <OutcomeChips outcome={outcome} would={would} /> },
  { header: "Reason", cell: ReasonText },
  {
    header: "Asked by",
    cell: (decision) => <Asker asking={decision} />,
  },
  { header: "Decided", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
];

function RequestName({ action, resourceId, resourceAgent }: DecisionRow) {
  return (
    <>
      {resourceAgent?.name ?? toVisibleText(resourceId)}{" "}
      <span className="small soft">{toVisibleText(action)}</span>
    </>
  );
}

/** The policies that decided say more than that there was one. */
function ReasonText({ reason, policies }: DecisionRow) {
  const names = policies.filter(({ decided }) => decided).map(({ name }) => name);
  if (names.length === 0) return <span className="soft">{explainReason(reason)}</span>;
  const isBroken = reason !== "POLICY_ALLOW" && reason !== "POLICY_DENY" && reason !== "APPROVAL_REQUIRED";
  return (
    <span>
      {names.join(", ")}
      {isBroken && <span className="small soft"> {explainReason(reason)}</span>}
    </span>
  );
}
