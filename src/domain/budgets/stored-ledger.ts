import type { Transaction } from "../kernel/context.ts";
import { type CurrentWindow, listCurrentWindows } from "./admit-reservation.ts";
import type { BudgetOperation } from "./budget-operation.ts";
import { listChargedWindows } from "./count-charge.ts";
import { type Ledger, type LedgerAgent, type WindowKey, type WindowSums, toWindowName } from "./ledger.ts";
import { DELETE_CHARGES, LOCK_CHARGES, type ReportedCharge } from "./reported-charge.ts";
import { type StoredReservation, toAmountsJson, toLineJson, toReservation } from "./reservation.ts";
import {
  HOLD_BUDGETS,
  LOCK_RESERVATIONS,
  LOCK_WINDOWS,
  OPEN_WINDOWS,
  STATE,
  WRITE,
} from "./reservation-statements.ts";

type State = Pick<Ledger, "now"> & { budgetGeneration: number; agents: LedgerAgent[] };

/** Keeps the workspace's budgets as they are until the transaction ends, and reads what operations depend on. */
export async function readLedgerState(
  { ctx, run }: Transaction,
  operations: readonly BudgetOperation[],
): Promise<State> {
  const charging = listCharges(operations).map(({ agentId }) => agentId);
  const agentIds = [...listReserving(operations), ...charging];
  // Sent together, and run one after the other.
  const [, [state]] = await Promise.all([
    run(HOLD_BUDGETS, [ctx.workspaceId]),
    run(STATE, [ctx.workspaceId, [...new Set(agentIds)]]),
  ]);
  if (state === undefined) throw new Error("the workspace does not exist");
  return { ...state, now: ctx.now ?? state.now };
}

/**
 * Locks the reservations and sums that operations are about, and makes sums of periods that have begun.
 *
 * @param reservationIds reservations to show, besides those that the operations name.
 */
export async function openLedger(
  tx: Transaction,
  state: State,
  {
    operations,
    reservationIds,
  }: { operations: readonly BudgetOperation[]; reservationIds: readonly string[] },
): Promise<Ledger> {
  const { ctx, run } = tx;
  const { now } = state;
  const budgets = await ctx.services.budgets.get(ctx.workspaceId, state.budgetGeneration, run);
  const charges = await lockCharges(tx, listCharges(operations));
  const named = operations.flatMap((one) => ("id" in one && one.kind !== "reserve" ? [one.id] : []));
  const charged = charges.flatMap(({ reservationId }) => reservationId ?? []);
  const reservations = await lockReservations(tx, [...named, ...charged, ...reservationIds]);
  const agents = new Map(state.agents.map((agent) => [agent.id, agent]));
  function find(ids: readonly string[]): LedgerAgent[] {
    return ids.flatMap((id) => agents.get(id) ?? []);
  }
  const current = findUnique([
    ...find(listReserving(operations)).flatMap((agent) => listCurrentWindows(budgets, agent, now)),
    ...charges.flatMap((charge) =>
      find([charge.agentId]).flatMap((agent) => listChargedWindows(budgets, agent, charge)),
    ),
  ]);
  const lines = reservations.flatMap((one) => one.lines);
  const paused = operations.flatMap((one) => (one.kind === "notePaused" ? [one.window] : []));
  const windows = await lockWindows(tx, current, findUnique<WindowKey>([...current, ...lines, ...paused]));
  return {
    now,
    agents,
    budgets: new Map(budgets.map((budget) => [budget.id, budget])),
    windows: new Map(windows.map((window) => [toWindowName(window), window])),
    reservations: new Map(reservations.map((one) => [one.id, one])),
    lockedCharges: new Set(charges.map(({ id }) => id)),
    countedCharges: new Set(),
    movedWindows: new Set(),
    newReservations: new Set(),
    changedReservations: new Set(),
    events: [],
    audit: [],
  };
}

/** Writes what operations have changed. */
export async function writeLedger({ ctx, run }: Transaction, ledger: Ledger): Promise<void> {
  const { countedCharges, movedWindows, newReservations, changedReservations } = ledger;
  if (countedCharges.size > 0) await run(DELETE_CHARGES, [ctx.workspaceId, [...countedCharges]]);
  if (movedWindows.size + newReservations.size + changedReservations.size === 0) return;
  await run(WRITE, [
    ctx.workspaceId,
    JSON.stringify(Array.from(movedWindows, toWindowJson)),
    JSON.stringify(Array.from(newReservations, toReservationJson)),
    JSON.stringify(Array.from(changedReservations, toReservationJson)),
  ]);
}

function listReserving(operations: readonly BudgetOperation[]): string[] {
  return operations.flatMap((one) => (one.kind === "reserve" ? [one.agentId] : []));
}

function listCharges(operations: readonly BudgetOperation[]): ReportedCharge[] {
  return operations.flatMap((one) => (one.kind === "countCharge" ? [one.charge] : []));
}

/** @returns those that no other node counts. */
async function lockCharges(
  { ctx, run }: Transaction,
  charges: readonly ReportedCharge[],
): Promise<ReportedCharge[]> {
  if (charges.length === 0) return [];
  const locked = await run(LOCK_CHARGES, [ctx.workspaceId, charges.map(({ id }) => id)]);
  const ids = new Set(locked.map(({ id }) => id));
  return charges.filter(({ id }) => ids.has(id));
}

async function lockReservations(
  { ctx, run }: Transaction,
  ids: readonly string[],
): Promise<StoredReservation[]> {
  if (ids.length === 0) return [];
  const rows = await run(LOCK_RESERVATIONS, [ctx.workspaceId, [...new Set(ids)]]);
  return rows.map(toReservation);
}

/** Locks sums. Those of `current` are made if they don't exist. */
async function lockWindows(
  { ctx, run }: Transaction,
  current: readonly CurrentWindow[],
  keys: readonly WindowKey[],
): Promise<WindowSums[]> {
  if (keys.length === 0) return [];
  const made = current.map(({ limit, ...window }) => ({ ...window, limit: `${limit}` }));
  const names = keys.map(({ budgetId, windowStart, subject }) => ({ budgetId, windowStart, subject }));
  // Sent together, and run one after the other.
  const [, windows] = await Promise.all([
    made.length > 0 ? run(OPEN_WINDOWS, [ctx.workspaceId, JSON.stringify(made)]) : [],
    run(LOCK_WINDOWS, [ctx.workspaceId, JSON.stringify(names)]),
  ]);
  return windows;
}

function findUnique<Key extends WindowKey>(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [toWindowName(key), key])).values()];
}

function toWindowJson({ used, reserved, assumed, reported, limit: _limit, ...window }: WindowSums): object {
  return {
    ...window,
    used: `${used}`,
    reserved: `${reserved}`,
    assumed: `${assumed}`,
    reported: `${reported}`,
  };
}

function toReservationJson({ lines, amounts, reported, ...reservation }: StoredReservation): object {
  return {
    ...reservation,
    lines: lines.map(toLineJson),
    amounts: toAmountsJson(amounts),
    reported: toAmountsJson(reported),
  };
}
