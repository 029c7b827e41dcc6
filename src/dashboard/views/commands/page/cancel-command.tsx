import { useMemo, useState } from "react";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { graphql } from "../../../data/graphql.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { isCommandOpen } from "../command-statuses.ts";
import type { ShownCommand } from "./command-query.ts";

const CancelAgentCommand = graphql(`
  mutation CancelAgentCommand($id: ID!, $reason: String) {
    cancelAgentCommand(input: { id: $id, reason: $reason }) {
      agentCommand {
        id
        status
      }
    }
  }
`);

/** Takes back a command that has not ended. Nothing for who may not, and for one that has. */
export function CancelCommand({ command }: { command: ShownCommand }) {
  const [isOpen, setIsOpen] = useState(false);
  const isOffered = useIsAtLeast("OPERATOR") && isCommandOpen(command.status);
  const entries = useMemo(
    () =>
      isOffered
        ? [{ key: "command-cancel", label: "Cancel the command", kind: "Act", to: () => setIsOpen(true) }]
        : [],
    [isOffered],
  );
  usePaletteEntries(entries);
  if (!isOffered) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>
        Cancel the command
      </button>
      {isOpen && <CancelDialog command={command} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CancelDialog({ command, onClose }: { command: ShownCommand; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Cancel the command?"
      confirmLabel="Cancel the command"
      mutation={CancelAgentCommand}
      toVariables={(reason) => ({ id: command.id, reason })}
      toDoneText={() => "The command is canceled."}
      onClose={onClose}
    >
      <li>{describeConsequence(command)}</li>
    </ReasonDialog>
  );
}

function describeConsequence({ status, agent }: ShownCommand): string {
  const name = agent?.name ?? "The agent";
  if (status === "QUEUED")
    return `${name} does not have it yet and never gets it, also when it is offline now.`;
  return (
    `${name} has it already, and learns of the cancel when it next reports. ` +
    "What it has done until then stays done."
  );
}
