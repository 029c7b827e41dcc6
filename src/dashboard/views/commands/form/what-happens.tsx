import { countOf } from "../../../ui/words.ts";
import { EXPIRIES } from "./expiries.ts";
import type { Order } from "./order.ts";
import type { Target, Targets } from "./use-targets.ts";

const NAMED = 5;

/** Says whom the command goes to, and what becomes of it where they are not there. */
export function WhatHappens({ order, targets }: { order: Order; targets: Targets | null }) {
  if (targets === null) return null;
  const away = targets.agents.filter(({ presence }) => presence !== "ONLINE");
  const expiry = EXPIRIES.find(([seconds]) => seconds === order.expiresInSeconds)?.[1] ?? "later";
  return (
    <div
      className={`notice stack-s ${away.length > 0 || targets.total === 0 ? "notice-warn" : ""}`}
      role="status"
    >
      <p>{whom(order, targets)}</p>
      {away.length > 0 && (
        <p>
          {away.length === 1 && targets.total === 1
            ? "It is not there now"
            : `${countOf(away.length, "agent is", "agents are")} not there now (${namesOf(away)})`}
          : the command waits, is delivered when the agent is back, and expires {expiry} if it is not.
        </p>
      )}
    </div>
  );
}

function whom({ to }: Order, { agents, total }: Targets): string {
  if (total === 0) return to === "one" ? "There is no such agent." : "No agent is like this.";
  if (to === "many") return `It goes to ${countOf(total, "agent")}: ${namesOf(agents, total)}.`;
  const [agent] = agents;
  const isThere = agent?.presence === "ONLINE";
  return isThere ? `${agent?.name} is online and gets it in its turn.` : `It goes to ${agent?.name}.`;
}

function namesOf(agents: readonly Target[], total = agents.length): string {
  const named = agents.slice(0, NAMED).map(({ name }) => name);
  const more = total - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
