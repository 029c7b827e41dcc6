import { useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Differences } from "../../../ui/differences.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { toRuleInput } from "../form/policy-input.ts";
import { UpdatePolicy } from "../form/policy-mutations.ts";
import { toTypedPolicy } from "../form/typed-policy.ts";
import type { ShownVersion } from "./history-query.ts";
import { listDifferences } from "./list-differences.ts";

export type RestoreVersionProps = {
  /** The policy's global id. */
  id: string;
  version: ShownVersion;
  newest: ShownVersion;
};

/** Makes an older rule the policy's again, as a new version. For admins. */
export function RestoreVersion({ id, version, newest }: RestoreVersionProps) {
  const mayRestore = useIsAtLeast("ADMIN");
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem, clear } = useAct(UpdatePolicy);
  const [, go] = useLocation();
  const differences = listDifferences(newest, version);
  if (!mayRestore || differences.length === 0) return null;

  async function restore(): Promise<void> {
    const { rule } = toRuleInput(toTypedPolicy(version));
    const saved = await act({ id, rule, ifGeneration: newest.generation });
    if (saved === null) return;
    showNotice(`Version ${version.generation} has been restored.`);
    go(`/policies/${saved.updatePolicy.policy.uuid}`);
  }

  return (
    <div>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        Restore version {version.generation}
      </button>
      <ConfirmDialog
        title={`Restore version ${version.generation}?`}
        confirmLabel="Restore"
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
          clear();
        }}
        onConfirm={() => void restore()}
        isBusy={isBusy}
        problem={problem}
        isDangerous={false}
      >
        <p>This changes the policy, as a new version:</p>
        <Differences differences={differences} />
      </ConfirmDialog>
    </div>
  );
}
