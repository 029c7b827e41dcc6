import { useAct } from "../../../data/use-act.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownBudget } from "../budget-fields.ts";
import { UpdateBudget } from "../form/budget-mutations.ts";

/** Enables or disables a budget. Its sums stay. */
export function EnableBudget({ budget: { id, name, enabled, generation } }: { budget: ShownBudget }) {
  const { act, isBusy, problem } = useAct(UpdateBudget);

  async function toggle(): Promise<void> {
    if (isBusy) return;
    const saved = await act({ input: { id, enabled: !enabled, ifGeneration: generation } });
    if (saved !== null) showNotice(`The budget ${name} has been ${enabled ? "disabled" : "enabled"}.`);
  }

  return (
    <>
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => void toggle()}>
        {enabled ? "Disable budget" : "Enable budget"}
      </button>
      <ErrorNote problem={problem} />
    </>
  );
}
