import { type Bulk, runMutation } from "../../../ui/table/bulk/bulk-act.ts";
import { isCommandOpen } from "../command-statuses.ts";
import { CancelAgentCommand } from "../page/cancel-agent-command.ts";
import type { CommandRow } from "./command-rows.ts";

/** What can be done with several commands. */
export const BULK_COMMANDS: Bulk<CommandRow> = {
  getName: ({ type, agent }) => `${type} to ${agent?.name ?? "an agent"}`,
  acts: [
    {
      label: "Cancel",
      done: "canceled",
      isDangerous: true,
      isPossible: ({ status }) => isCommandOpen(status),
      consequences: [
        "Agents that have not received theirs never will, even if they are offline now.",
        "The others are notified with their next report. Anything done until then isn’t undone.",
      ],
      run: (client, { id }, reason) => runMutation(client, CancelAgentCommand, { id, reason }),
    },
  ],
};
