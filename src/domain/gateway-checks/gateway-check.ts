import type { ReservationView } from "../budgets/reservation.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import type { Approval, Execution } from "../../db/generated/client.ts";
import type { DecisionReason } from "../../db/generated/enums.ts";
import type { DecisionRow } from "../decisions/decision-row.ts";
import type { PeopleAnswer } from "./ask-people.ts";
import { getRequestableUntil } from "./requestable-denial.ts";

/** What a check says: `pending` while people are asked. */
export const CHECK_STATUSES = ["allowed", "denied", "pending"] as const;

/** What the gateway says to a request. */
export type GatewayCheck = {
  /** The decision's id, under which it is logged. */
  id: string;
  status: (typeof CHECK_STATUSES)[number];
  reason: DecisionReason;
  decidedAt: Date;
  /** The policies that decided. */
  policies: { id: string; name: string }[];
  /** The question to people, if they were asked. */
  approval: Approval | null;
  /** The execution that the use of an approval opened. */
  execution: Execution | null;
  /** What was reserved of budgets; null if none applies, or if it is not allowed. */
  reservation: ReservationView | null;
  /** The budget without room, for which it is denied. */
  budget: ExceededBudget | null;
  /** Until when people can be asked about this denial; null if they can't. */
  requestableUntil: Date | null;
};

/** What is said of a decision. */
export function toCheck({ decision, approval, execution }: PeopleAnswer): GatewayCheck {
  const decisive = decision.matched.filter(({ decided }) => decided);
  return {
    id: decision.id,
    status: getStatus(decision.outcome, approval),
    reason: decision.reason,
    decidedAt: new Date(decision.createdAt),
    policies: decisive.map(({ id, name }) => ({ id, name })),
    approval,
    execution,
    reservation: null,
    budget: null,
    requestableUntil: getRequestableUntil(decision),
  };
}

function getStatus(outcome: DecisionRow["outcome"], approval: Approval | null): GatewayCheck["status"] {
  if (outcome === "ask") return approval === null ? "denied" : "pending";
  return outcome === "allow" ? "allowed" : "denied";
}
