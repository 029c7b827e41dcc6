import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { PolicyActivity } from "../policy-activity.tsx";
import { PolicyChips } from "../policy-chips.tsx";
import type { ShownPolicy } from "../policy-fields.ts";
import { describeResources, describeSubjects } from "../words/describe-scope.ts";

export const POLICY_COLUMNS: readonly Column<ShownPolicy>[] = [
  { header: "Policy", cell: Name },
  { header: "Effect", cell: (policy) => <PolicyChips {...policy} /> },
  { header: "Who", cell: ({ subjects }) => describeSubjects(subjects) },
  { header: "What", cell: What },
  { header: "Held in 7 days", cell: (policy) => <PolicyActivity {...policy} /> },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Name({ name, fromFile }: ShownPolicy) {
  return (
    <>
      {name} {fromFile && <span className="small soft">from a file</span>}
    </>
  );
}

function What({ actions, resources, when }: ShownPolicy) {
  return (
    <span>
      <span className="tag">{actions.join(", ")}</span> on {describeResources(resources)}
      {when !== null && <code className="policies-when-line">{when}</code>}
    </span>
  );
}
