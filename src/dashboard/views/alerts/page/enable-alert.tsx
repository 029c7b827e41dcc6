import { useAct } from "../../../data/use-act.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownAlert } from "../alert-fields.ts";
import { UpdateAlertRule } from "../form/alert-mutations.ts";

/** Enables or disables a rule. One that fires is resolved when it is disabled. */
export function EnableAlert({ rule: { id, name, enabled, generation } }: { rule: ShownAlert }) {
  const { act, isBusy, problem } = useAct(UpdateAlertRule);

  async function toggle(): Promise<void> {
    if (isBusy) return;
    const saved = await act({ input: { id, enabled: !enabled, ifGeneration: generation } });
    if (saved !== null) showNotice(`The alert rule ${name} has been ${enabled ? "disabled" : "enabled"}.`);
  }

  return (
    <>
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => void toggle()}>
        {enabled ? "Disable alert rule" : "Enable alert rule"}
      </button>
      <ErrorNote problem={problem} />
    </>
  );
}
