import type { ShownPolicy } from "./policy-fields.ts";

const EFFECTS = {
  ALLOW: ["allow", "good"],
  ASK: ["ask a person", "warn"],
  DENY: ["deny", "bad"],
} as const;

/** What a policy says, and whether it does so now. */
export function PolicyChips({ effect, mode, enabled }: Pick<ShownPolicy, "effect" | "mode" | "enabled">) {
  const [label, tone] = EFFECTS[effect];
  return (
    <span className="in-line">
      <span className={`badge badge-${tone}`}>{label}</span>
      {mode === "MONITOR" && <span className="badge">monitored</span>}
      {!enabled && <span className="badge">disabled</span>}
    </span>
  );
}
