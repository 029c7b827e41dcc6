import { useMemo, useState } from "react";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { isCommandOpen } from "../command-statuses.ts";
import { CancelAgentCommand } from "./cancel-agent-command.ts";
import type { ShownCommand } from "./command-query.ts";

/** Cancels a command that has not finished. Hidden otherwise, and for users who may not. */
export function CancelCommand({ command }: { command: ShownCommand }) {
  const [isOpen, setIsOpen] = useState(false);
  const isOffered = useIsAtLeast("OPERATOR") && isCommandOpen(command.status);
  const entries = useMemo(
    () =>
      isOffered
        ? [{ key: "command-cancel", label: "Cancel command", kind: "Action", to: () => setIsOpen(true) }]
        : [],
    [isOffered],
  );
  usePaletteEntries(entries);
  if (!isOffered) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Cancel command
      </button>
      {isOpen && <CancelDialog command={command} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CancelDialog({ command, onClose }: { command: ShownCommand; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Cancel command?"
      confirmLabel="Cancel command"
      mutation={CancelAgentCommand}
      toVariables={(reason) => ({ id: command.id, reason })}
      toDoneText={() => "The command has been canceled."}
      onClose={onClose}
    >
      <li>{describeConsequence(command)}</li>
    </ReasonDialog>
  );
}

function describeConsequence({ status, agent }: ShownCommand): string {
  const name = agent?.name ?? "The agent";
  if (status === "AWAITING_APPROVAL") return `${name} never receives it, and nobody is asked any more.`;
  if (status === "QUEUED")
    return `${name} has not received it yet, and never will, even if it is offline now.`;
  return (
    `${name} has already received it, and is notified with its next report. ` +
    "Anything done until then isn’t undone."
  );
}
