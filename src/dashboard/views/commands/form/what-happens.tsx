import { formatCount } from "../../../ui/words.ts";
import { COMMAND_EXPIRIES } from "./expiries.ts";
import type { CommandOrder } from "./order.ts";
import type { CommandTarget, Targets } from "./use-targets.ts";

const NAMED = 5;

/** Says whom the command goes to, and what becomes of it where they are not there. */
export function WhatHappens({ order, targets }: { order: CommandOrder; targets: Targets | null }) {
  if (targets === null) return null;
  const away = targets.agents.filter(({ presence }) => presence !== "ONLINE");
  const expiry = COMMAND_EXPIRIES.find(([seconds]) => seconds === order.expiresInSeconds)?.[1] ?? "later";
  return (
    <div
      className={`notice stack-s ${away.length > 0 || targets.total === 0 ? "notice-warn" : ""}`}
      role="status"
    >
      <p>{describeTargets(order, targets)}</p>
      {away.length > 0 && (
        <p>
          {away.length === 1 && targets.total === 1
            ? "It is not there now"
            : `${formatCount(away.length, "agent is", "agents are")} not there now (${joinNames(away)})`}
          : the command waits, is delivered when the agent is back, and expires {expiry} if it is not.
        </p>
      )}
    </div>
  );
}

function describeTargets({ to }: CommandOrder, { agents, total }: Targets): string {
  if (total === 0) return to === "one" ? "There is no such agent." : "No agent is like this.";
  if (to === "many") return `It goes to ${formatCount(total, "agent")}: ${joinNames(agents, total)}.`;
  const [agent] = agents;
  const isThere = agent?.presence === "ONLINE";
  return isThere ? `${agent?.name} is online and gets it in its turn.` : `It goes to ${agent?.name}.`;
}

function joinNames(agents: readonly CommandTarget[], total = agents.length): string {
  const named = agents.slice(0, NAMED).map(({ name }) => name);
  const more = total - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
