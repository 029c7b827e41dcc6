import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of all GraphQL fields of budgets with another workspace's ids. */
export function budgetCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [id, agentId] = [toGlobalId("Budget", ids.budget), toGlobalId("Agent", ids.agent)];
  const uuid = ids.reservation;
  const rule = { name: word, unit: "CALLS", limit: "5", period: "DAY" };
  const create = (scope: object, outcome: FieldCall["outcome"]): FieldCall => ({
    ...{ args: { input: { ...rule, scope } }, outcome, forPeople: true },
  });
  return {
    budgets: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { enabled: true } }, outcome: "own" },
    ],
    budget: [{ args: { id }, outcome: "NOT_FOUND" }],
    createBudget: [
      create({ type: "AGENT", agentId }, "VALIDATION_FAILED"),
      create({ type: "EACH_LABEL", label: word }, "own"),
    ],
    updateBudget: [{ args: { input: { id, limit: "7" } }, outcome: "NOT_FOUND", forPeople: true }],
    deleteBudget: [{ args: { input: { id } }, outcome: "NOT_FOUND", forPeople: true }],
    reservation: [{ args: { uuid }, outcome: "NOT_FOUND" }],
    reservations: [
      { args: { first: 20 }, outcome: "own" },
      { args: { first: 20, offset: 0, filter: { agentId } }, outcome: "own" },
      { args: { first: 20, filter: { budgetId: id } }, outcome: "own" },
    ],
    reserveBudget: [{ args: { input: { decisionUuid: ids.decision } }, outcome: "own" }],
    settleReservation: [{ args: { input: { uuid } }, outcome: "NOT_FOUND" }],
    releaseReservation: [{ args: { input: { uuid } }, outcome: "NOT_FOUND" }],
    releaseAssumed: [{ args: { input: { uuid } }, outcome: "NOT_FOUND", forPeople: true }],
  };
}

/** Calls of all routes of budgets with another workspace's ids. */
export function budgetRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const reservations = "/api/v1/budget_reservations";
  const path = `${reservations}/${ids.reservation}`;
  return {
    "GET /api/v1/operator/budgets": [{ path: "/api/v1/operator/budgets", status: 200 }],
    "POST /api/v1/budget_reservations": [
      { path: reservations, body: { decision_id: ids.decision }, status: 201 },
    ],
    "GET /api/v1/budget_reservations/:id": [{ path, status: 404 }],
    "POST /api/v1/budget_reservations/:id/settle": [{ path: `${path}/settle`, body: {}, status: 404 }],
    "POST /api/v1/budget_reservations/:id/release": [{ path: `${path}/release`, body: {}, status: 404 }],
  };
}

/** A selection of each field of budgets, and the scope it requires. */
export function budgetUses({
  ids,
}: PopulatedWorkspace): Record<string, { scope: Scope | null; selection: string }[]> {
  const use = (scope: Scope, selection: string) => [{ scope, selection }];
  return {
    budgets: use("gateway:read", "budgets { totalCount }"),
    budget: use("gateway:read", `budget(id: "${toGlobalId("Budget", ids.budget)}") { windows { used } }`),
    reservations: use("gateway:read", "reservations { totalCount }"),
    reserveBudget: use("gateway:check", "reserveBudget(input: {}) { asks }"),
    // Only the reservation's agent may do this: the scope is tested in test/domain/budgets/.
    ...{ reservation: [], settleReservation: [], releaseReservation: [] },
  };
}
