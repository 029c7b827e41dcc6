import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { formatCount } from "../../../ui/words.ts";
import type { ShownApproval } from "../approval-fields.ts";
import { getArguments } from "../get-arguments.ts";

/** What the agent would do it with, and how that differs from the last approved call. */
export function Arguments({ approval }: { approval: ShownApproval }) {
  const { request, editedArguments, previousArguments, hiddenValues } = approval;
  const asked = getArguments(request);
  const shown = editedArguments ?? asked;
  const before = editedArguments === null ? previousArguments : asked;
  return (
    <section className="card stack-m" aria-labelledby="approval-arguments">
      <h2 id="approval-arguments">Arguments</h2>
      {hiddenValues > 0 && (
        <p className="notice notice-warn">
          {formatCount(hiddenValues, "value is hidden as a secret", "values are hidden as secrets")}: you
          decide without seeing {hiddenValues === 1 ? "it" : "them"}.
        </p>
      )}
      {shown === undefined ? (
        <p className="soft">None.</p>
      ) : (
        <JsonTree
          value={shown}
          label="Arguments as a tree"
          {...(before !== null && before !== undefined && { before: { isThere: true, value: before } })}
        />
      )}
      <p className="small soft">{describeComparison(approval)}</p>
      <details className="changes">
        <summary>Whole request</summary>
        <JsonTree value={request} label="Request as a tree" />
      </details>
    </section>
  );
}

function describeComparison({ editedArguments, previousArguments }: ShownApproval): string {
  if (editedArguments !== null)
    return "An approver edited them: marked is what differs from what the agent asked.";
  if (previousArguments === null)
    return "No call of this was approved before, so that there is nothing to compare with.";
  return "Marked is what differs from the last approved call of this.";
}
