import { useMemo, useState } from "react";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { hasTaskEnded } from "../task-filter.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { RetryDialog } from "./retry-dialog.tsx";
import type { ShownTask } from "./task-query.ts";

/** Actions on a task: cancel it while open, retry it when finished. */
export function TaskActs({ task }: { task: ShownTask }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayAct = useIsAtLeast("OPERATOR");
  const hasEnded = hasTaskEnded(task.status);
  const isOffered = mayAct && (hasEnded || task.cancelRequestedAt === null);
  const label = hasEnded ? "Retry" : "Cancel task";
  const entries = useMemo(
    () => (isOffered ? [{ key: "task-act", label, kind: "Action", to: () => setIsOpen(true) }] : []),
    [isOffered, label],
  );
  usePaletteEntries(entries);
  if (!isOffered) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        {label}
      </button>
      {isOpen && hasEnded && <RetryDialog task={task} onClose={() => setIsOpen(false)} />}
      {isOpen && !hasEnded && <CancelDialog task={task} onClose={() => setIsOpen(false)} />}
    </>
  );
}
