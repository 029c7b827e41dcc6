import { useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { formatCount } from "../../../ui/words.ts";
import { toRuleInput } from "../form/policy-input.ts";
import { toTypedPolicy } from "../form/typed-policy.ts";
import { Simulation } from "../try/simulation.tsx";
import { ChangeList } from "./change-list.tsx";
import { ApplyPolicyFile, type FileDiff } from "./file-queries.ts";

/** What a file would change, and the button to change it. */
export function ImportDiff({ diff, text }: { diff: FileDiff; text: string }) {
  const [prune, setPrune] = useState(false);
  const { act, isBusy, problem } = useAct(ApplyPolicyFile);
  const [, go] = useLocation();
  const { addedCount, changedCount, missingCount, generation } = diff;
  const count = addedCount + changedCount + (prune ? missingCount : 0);

  async function apply(): Promise<void> {
    if ((await act({ text, prune, ifGeneration: generation })) === null) return;
    showNotice(`${formatCount(count, "policy has", "policies have")} been changed.`);
    go("/policies");
  }

  return (
    <>
      <section className="card stack-m policies-form" aria-labelledby="policy-import">
        <h2 id="policy-import">What it would change</h2>
        <p role="status">{describeCounts(diff, prune)}</p>
        <ChangeList diff={diff} prune={prune} />
        {missingCount > 0 && (
          <CheckField
            label={`Delete ${formatCount(missingCount, "policy", "policies")} that the file doesn’t have`}
            name="prune"
            isChecked={prune}
            onChange={setPrune}
          />
        )}
        {count > 0 && (
          <Form
            sendLabel={`Apply ${formatCount(count, "change")}`}
            onSend={() => void apply()}
            isBusy={isBusy}
            problem={problem}
            isDangerous={prune && missingCount > 0}
          >
            <p className="small soft">
              All of them are made, or none. Later imports undo edits of these policies.
            </p>
          </Form>
        )}
      </section>
      {count > 0 && <Simulation changes={toChanges(diff, prune)} />}
    </>
  );
}

function describeCounts(diff: FileDiff, prune: boolean): string {
  const { addedCount, changedCount, missingCount, unchangedCount } = diff;
  const removed = prune ? `${missingCount} removed` : `${missingCount} not in the file, which stay`;
  return `${addedCount} added, ${changedCount} changed, ${removed}, ${unchangedCount} unchanged.`;
}

function toChanges({ added, changed, missing }: FileDiff, prune: boolean) {
  const rules = [...added, ...changed.map(({ rule }) => rule)];
  return {
    rules: rules.map((rule) => toRuleInput(toTypedPolicy(rule)).rule),
    removed: prune ? missing.map(({ name }) => name) : [],
  };
}
