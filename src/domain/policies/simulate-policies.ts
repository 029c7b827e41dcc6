import { z } from "zod";
import { firstUuidAt } from "../../db/first-uuid.ts";
import type { DecisionOutcome } from "../../db/generated/enums.ts";
import { allowLag, sql } from "../../db/sql.ts";
import { type GateState, readGateState } from "../gateway-checks/gate-state.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import type { Steps } from "../kernel/turns.ts";
import { type PolicyChangesInput, draftPolicies } from "./draft-policies.ts";
import {
  type SimulatedChange,
  type SimulatedPolicies,
  type StoredDecision,
  simulateDecision,
} from "./simulate-decision.ts";

/** What changes of policies would have made of stored decisions. */
export type PolicySimulation = {
  /** How many decisions were looked at, the newest first. */
  considered: number;
  /** Whether these are all of the time. */
  isComplete: boolean;
  unchanged: number;
  /** Those that depend on what was not stored. */
  unknown: number;
  changes: OutcomeChange[];
};

/** `groups` are those with the most decisions, at most {@link MOST_GROUPS}. */
export type OutcomeChange = {
  before: DecisionOutcome;
  after: DecisionOutcome;
  count: number;
  groups: ChangedGroup[];
};

/** Decisions of one agent, action and resource, and the newest of them. */
export type ChangedGroup = Pick<StoredDecision, "agentId" | "action" | "resourceType" | "resourceId"> & {
  count: number;
  decisionId: string;
};

const MOST_DECISIONS = 10_000;
const MOST_GROUPS = 20;
const PAGE = 100;
const DEADLINE_MS = 20_000;

const shape = z.object({ from: z.date(), to: z.date() });

type SimulationInput = z.input<typeof shape> & { changes: PolicyChangesInput };

/** Workspaces for which this node simulates. */
const RUNNING = new Set<string>();

/**
 * Says what changes of policies would have made of the newest 10,000 stored decisions between two times: each is
 * decided by the policies of now, and by them with the changes, for agents and other entities as they are now. Ends
 * after {@link DEADLINE_MS} with what it has.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed; rate_limited while another
 *   simulation of the workspace runs on this node.
 */
export async function simulatePolicies(
  ctx: Ctx,
  { changes, ...input }: SimulationInput,
): Promise<PolicySimulation> {
  requireScope(ctx, "gateway:read");
  const { from, to } = parseInput(shape, input);
  if (from >= to) throw createFieldError("to", "must be after from");
  const { workspaceId } = ctx;
  if (RUNNING.has(workspaceId)) {
    throw new DomainError("rate_limited", "Another simulation is running. Try again when it has ended.");
  }
  RUNNING.add(workspaceId);
  try {
    return await simulate(ctx, { from, to }, changes);
  } finally {
    RUNNING.delete(workspaceId);
  }
}

async function simulate(
  ctx: Ctx,
  { from, to }: z.output<typeof shape>,
  changes: PolicyChangesInput,
): Promise<PolicySimulation> {
  const untilMs = performance.now() + DEADLINE_MS;
  const { policies } = ctx.services;
  const { change, replaced } = await draftPolicies(ctx, changes);
  const { generation } = await readGateState(ctx, [], ctx.workspaceId);
  const before = await policies.get(ctx.workspaceId, generation);
  const simulated = { before, after: change(before), replaced };
  const counts = createCounts();
  let end = firstUuidAt(to);
  for (;;) {
    const rows = await ctx.read(ROWS, [ctx.workspaceId, firstUuidAt(from), end, PAGE]);
    const state = await readEntities(ctx, rows);
    const isInTime = await policies.runInTurns(
      ctx.workspaceId,
      simulatePage(rows, { simulated, state, counts, untilMs }),
    );
    const isOver = rows.length < PAGE;
    if (!isInTime || isOver || counts.getTotal() >= MOST_DECISIONS)
      return counts.toSimulation(isInTime && isOver);
    end = rows.at(-1)?.id ?? end;
  }
}

type Page = {
  simulated: SimulatedPolicies;
  state: GateState;
  counts: ReturnType<typeof createCounts>;
  untilMs: number;
};

/** Returns whether there was time for all of it. */
function* simulatePage(
  rows: readonly StoredDecision[],
  { simulated, state, counts, untilMs }: Page,
): Steps<boolean> {
  for (const row of rows) {
    if (performance.now() > untilMs) return false;
    counts.add(row, yield* simulateDecision(row, simulated, state));
    yield;
  }
  return true;
}

/** Reads the agents and other entities that decisions name, as they are now. Archived agents count as they were. */
async function readEntities(ctx: Ctx, rows: readonly StoredDecision[]): Promise<GateState> {
  const named = rows.map(({ request, subject, agentId, resourceType, resourceId, action }) => ({
    action: { name: action, properties: {} },
    context: {},
    ...request,
    subject: request?.subject ?? { ...(subject ?? { type: "agent", id: agentId ?? "" }), properties: {} },
    resource: request?.resource ?? { type: resourceType, id: resourceId, properties: {} },
  }));
  const state = await readGateState(ctx, named, ctx.workspaceId);
  return { ...state, agents: state.agents.map((agent) => ({ ...agent, isArchived: false })) };
}

/** Newest first. Reads only the partitions of these days. */
const ROWS = allowLag(sql<StoredDecision>`
SELECT id, agent_id AS "agentId", subject, action, resource_type AS "resourceType", resource_id AS "resourceId",
  created_at AS "createdAt", gate_generation AS "gateGeneration", request, entities -> 'counters' AS counters
FROM decision WHERE workspace_id = $1::uuid AND id >= $2::uuid AND id < $3::uuid
ORDER BY id DESC LIMIT $4::int`);

type CountedChange = OutcomeChange & { byName: Map<string, ChangedGroup> };

function createCounts() {
  let [total, unchanged, unknown] = [0, 0, 0];
  const changes = new Map<string, CountedChange>();
  return {
    getTotal: () => total,
    add: (row: StoredDecision, result: SimulatedChange) => {
      total++;
      if (result === "unknown") unknown++;
      else if (result === "unchanged") unchanged++;
      else addChange(changes, row, result);
    },
    toSimulation: (isComplete: boolean): PolicySimulation => ({
      considered: total,
      isComplete,
      unchanged,
      unknown,
      changes: listByCount(changes).map(({ byName, ...change }) => ({
        ...change,
        groups: listByCount(byName).slice(0, MOST_GROUPS),
      })),
    }),
  };
}

/** Those of the largest counts first, and of the same in the order of their keys. */
function listByCount<Counted extends { count: number }>(counted: ReadonlyMap<string, Counted>): Counted[] {
  return [...counted]
    .toSorted(([key, one], [otherKey, other]) => other.count - one.count || (key < otherKey ? -1 : 1))
    .map(([, one]) => one);
}

function addChange(
  changes: Map<string, CountedChange>,
  { id, agentId, action, resourceType, resourceId }: StoredDecision,
  { before, after }: { before: DecisionOutcome; after: DecisionOutcome },
): void {
  const key = `${before} ${after}`;
  const change: CountedChange = changes.get(key) ?? {
    before,
    after,
    count: 0,
    groups: [],
    byName: new Map<string, ChangedGroup>(),
  };
  changes.set(key, change);
  change.count++;
  const name = JSON.stringify([agentId, action, resourceType, resourceId]);
  const group = change.byName.get(name);
  if (group !== undefined) group.count++;
  else change.byName.set(name, { agentId, action, resourceType, resourceId, count: 1, decisionId: id });
}
