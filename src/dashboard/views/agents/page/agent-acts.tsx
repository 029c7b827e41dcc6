import { useMemo, useState } from "react";
import { Link } from "wouter";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import type { Controlled } from "./agent-query.ts";
import { CONTROL_ACTS, type ControlAct, listControlActs } from "./control-acts.ts";
import { ControlDialog } from "./control-dialog.tsx";

/** Actions on an agent. Hidden if the user may not use them. */
export function AgentActs({ agent }: { agent: Controlled }) {
  const [act, setAct] = useState<ControlAct | null>(null);
  const isOffered = useIsAtLeast("OPERATOR") && agent.archivedAt === null;
  const { controlState, ownControlState, uuid } = agent;
  // Agents that an emergency stop covers are resumed there.
  const isControlled = controlState === ownControlState;
  const entries = useMemo(() => {
    if (!isOffered || !isControlled) return [];
    return listControlActs(controlState).map((one) => ({
      key: `agent-${one}`,
      label: CONTROL_ACTS[one].title,
      kind: "Action",
      to: () => setAct(one),
    }));
  }, [isOffered, isControlled, controlState]);
  usePaletteEntries(entries);
  if (!isOffered) return null;
  return (
    <>
      <Link className="button" href={`/commands/new?agent=${uuid}`}>
        Issue command
      </Link>
      {(isControlled ? listControlActs(controlState) : []).map((one) => (
        <button
          key={one}
          type="button"
          className={one === "stop" ? "button button-danger" : "button"}
          onClick={() => setAct(one)}
        >
          {CONTROL_ACTS[one].label}
        </button>
      ))}
      {act !== null && <ControlDialog act={act} agent={agent} onClose={() => setAct(null)} />}
    </>
  );
}
