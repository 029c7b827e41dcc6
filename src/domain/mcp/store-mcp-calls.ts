import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import type { Execution } from "../../db/generated/client.ts";
import { type Ctx, type Transaction, openCtx, systemCaller } from "../kernel/context.ts";
import { END_TOGETHER, type EndedCall, endMcpCallsIn } from "./end-mcp-calls-in.ts";
import { type AllowedCall, startMcpCallsIn } from "./start-mcp-calls-in.ts";

/**
 * Starts a call with what else of the workspace's calls is to be stored at the same time.
 *
 * @returns its execution; null if it has to be started by itself.
 * @throws {DomainError} unavailable if too many of the workspace wait, or the process stops.
 */
export async function startTogether(ctx: Ctx, call: AllowedCall): Promise<Execution | null> {
  const { execution } = await add(ctx, { start: call, end: null });
  return execution;
}

/**
 * {@link startTogether} for a call's end.
 *
 * @returns whether it was stored; otherwise it has to be by itself.
 */
export async function storeEndTogether(ctx: Ctx, call: EndedCall): Promise<boolean> {
  const { isEnded } = await add(ctx, { start: null, end: call });
  return isEnded;
}

type Change = { start: AllowedCall | null; end: EndedCall | null };
type Stored = { execution: Execution | null; isEnded: boolean };

async function add(ctx: Ctx, change: Change): Promise<Stored> {
  return ctx.services.mcpCalls.add(ctx.workspaceId, change, (changes: readonly Change[]) =>
    store(ctx, changes),
  );
}

/** @returns what was stored of each. Nothing if the database refuses one of them: each is to be stored by itself. */
async function store(
  { services, workspaceId, now }: Ctx,
  changes: readonly Change[],
): Promise<PromiseSettledResult<Stored>[]> {
  const system = openCtx(services, systemCaller(workspaceId, "mcp proxy"), now);
  try {
    const stored = await system.transaction((tx) => storeIn(tx, changes));
    return stored.map((value) => ({ status: "fulfilled", value }));
  } catch (reason) {
    const isOfOne = ["unknown", "unstorable"].includes(getDatabaseErrorKind(reason));
    return changes.map(() =>
      isOfOne ? { status: "fulfilled", value: NOTHING } : { status: "rejected", reason },
    );
  }
}

const NOTHING: Stored = { execution: null, isEnded: false };

/** The ends first: what they change, no start waits for. */
async function storeIn(tx: Transaction, changes: readonly Change[]): Promise<Stored[]> {
  const starts = changes.flatMap(({ start }) => start ?? []);
  const ends = changes.flatMap(({ end }) => end ?? []);
  const [ended, started] = await Promise.all([
    endMcpCallsIn(tx, ends, END_TOGETHER),
    startMcpCallsIn(tx, starts),
  ]);
  const isEnded = new Map(ends.map(({ id }, index) => [id, ended[index] ?? false]));
  const executions = new Map(starts.map(({ id }, index) => [id, started[index] ?? null]));
  return changes.map(({ start, end }) => ({
    execution: start === null ? null : (executions.get(start.id) ?? null),
    isEnded: end !== null && isEnded.get(end.id) === true,
  }));
}
