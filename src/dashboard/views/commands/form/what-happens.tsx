import { formatCount } from "../../../ui/words.ts";
import { COMMAND_EXPIRIES } from "./expiries.ts";
import type { CommandOrder } from "./order.ts";
import type { CommandTarget, Targets } from "./use-targets.ts";

const NAMED = 5;

/** Explains who receives the command, and what happens if they are offline. */
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
            ? "It is not online now"
            : `${formatCount(away.length, "agent is", "agents are")} not online now (${joinNames(away)})`}
          : the command waits until the agent reconnects, and expires {expiry} otherwise.
        </p>
      )}
    </div>
  );
}

function describeTargets({ to }: CommandOrder, { agents, total }: Targets): string {
  if (total === 0) return to === "one" ? "This agent doesn’t exist." : "No agent matches.";
  if (to === "many") return `It will be sent to ${formatCount(total, "agent")}: ${joinNames(agents, total)}.`;
  const [agent] = agents;
  const isThere = agent?.presence === "ONLINE";
  return isThere
    ? `${agent?.name} is online and receives it in order.`
    : `It will be sent to ${agent?.name}.`;
}

function joinNames(agents: readonly CommandTarget[], total = agents.length): string {
  const named = agents.slice(0, NAMED).map(({ name }) => name);
  const more = total - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
