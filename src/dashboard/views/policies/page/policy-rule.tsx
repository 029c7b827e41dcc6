import type { ReactNode } from "react";
import { Facts } from "../../../ui/facts.tsx";
import type { ShownPolicy } from "../policy-fields.ts";
import { describeResources, describeSubjects } from "../words/describe-scope.ts";
import { describeTerms } from "../words/describe-terms.ts";

const EFFECTS = {
  ALLOW: "It is allowed, unless another policy denies it or asks about it.",
  ASK: "A person is asked, unless another policy denies it.",
  DENY: "It is denied, whatever other policies say.",
} as const;

/** What a policy says, in words. */
export function PolicyRule({ policy }: { policy: ShownPolicy }) {
  const { subjects, actions, resources, when, effect, mode, approval } = policy;
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ["Who", describeSubjects(subjects)],
    ["Does", <Actions key="actions" actions={actions} />],
    ["On", describeResources(resources)],
    [
      "When",
      when === null ? (
        "always"
      ) : (
        <code key="when" className="policies-when">
          {when}
        </code>
      ),
    ],
    ["Then", EFFECTS[effect]],
    ...(approval === null ? [] : [["Approval", describeTerms(approval).join(" ")] as const]),
    [
      "Mode",
      mode === "ENFORCE" ? "Enforced." : "Monitored: only what it would change is logged with decisions.",
    ],
  ];
  return (
    <section className="card" aria-label="Rule">
      <Facts facts={facts} />
    </section>
  );
}

function Actions({ actions }: Pick<ShownPolicy, "actions">) {
  return (
    <ul className="tags">
      {actions.map((action) => (
        <li key={action} className="tag">
          {action}
        </li>
      ))}
    </ul>
  );
}
