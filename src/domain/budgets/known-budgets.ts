import { LRUCache } from "lru-cache";
import type { BudgetExpiry, BudgetPeriod, BudgetScope, BudgetUnit } from "../../db/generated/enums.ts";
import { type Run, sql } from "../../db/sql.ts";
import { type Period, findPeriod } from "./budget-period.ts";
import type { Threshold } from "./budget-rule.ts";

/** An agent, as far as budgets look at it. */
export type BudgetAgent = { id: string; labels: Record<string, string> };

type StoredBudget = {
  id: string;
  name: string;
  scope: BudgetScope;
  scopeAgentId: string | null;
  scopeLabel: string | null;
  scopeValue: string | null;
  unit: BudgetUnit;
  limit: bigint;
  period: BudgetPeriod;
  timeZone: string;
  /** In order. */
  thresholds: readonly Threshold[];
  defaultEstimate: bigint | null;
  onExpiry: BudgetExpiry;
  enabled: boolean;
  createdAt: Date;
};

/** A budget that a node remembers. */
export type KnownBudget = Omit<StoredBudget, "period" | "timeZone"> & {
  /** Returns the period at an instant. */
  findPeriod: (at: Date) => Period;
};

/** A workspace's budgets, also disabled ones. */
export type KnownBudgets = { generation: number; budgets: readonly KnownBudget[] };

/** The budgets that a node remembers. */
export type RememberedBudgets = {
  /** Returns a workspace's budgets at this generation or a newer one. `run` reads them if they aren't known. */
  get: (workspaceId: string, generation: number, run: Run) => Promise<readonly KnownBudget[]>;
  /** How many budgets a workspace had when they were last read; 0 if that is not known. */
  count: (workspaceId: string) => number;
};

/** Budgets that a node remembers, of about a kilobyte each. */
const MOST_BUDGETS = 50_000;

/** Remembers budgets. Whoever asks says which generation is current, so none of them is out of date. */
export function rememberBudgets(): RememberedBudgets {
  const known = new LRUCache<string, KnownBudgets>({
    maxSize: MOST_BUDGETS,
    sizeCalculation: ({ budgets }) => budgets.length + 1,
  });
  return {
    get: async (workspaceId, generation, run) => {
      if (generation === 0) return [];
      const remembered = known.get(workspaceId);
      if (remembered !== undefined && remembered.generation >= generation) return remembered.budgets;
      const loaded = await loadBudgets(workspaceId, run);
      const newest = known.peek(workspaceId);
      if (newest === undefined || newest.generation < loaded.generation) known.set(workspaceId, loaded);
      return loaded.budgets;
    },
    count: (workspaceId) => known.peek(workspaceId)?.budgets.length ?? 0,
  };
}

/**
 * Returns whose sum an agent's use counts in: empty if the budget has one sum, null if the budget does not apply.
 */
export function findSubject(budget: KnownBudget, { id, labels }: BudgetAgent): string | null {
  const value = getLabel(labels, budget.scopeLabel);
  switch (budget.scope) {
    case "workspace":
      return "";
    case "each_agent":
      return id;
    case "agent":
      return budget.scopeAgentId === id ? "" : null;
    case "each_label":
      return value;
    case "label":
      return budget.scopeValue === value ? "" : null;
  }
}

function getLabel(labels: Record<string, string>, label: string | null): string | null {
  return label !== null && Object.hasOwn(labels, label) ? (labels[label] ?? null) : null;
}

async function loadBudgets(workspaceId: string, run: Run): Promise<KnownBudgets> {
  const rows = await run(SELECT, [workspaceId]);
  const stored = rows.filter(({ id }) => id !== null);
  return { generation: rows[0]?.budgetGeneration ?? 0, budgets: stored.map(toKnownBudget) };
}

/** Periods are looked up much more often than they end. */
function toKnownBudget({ period, timeZone, ...budget }: StoredBudget): KnownBudget {
  let current: Period | null = null;
  function find(at: Date): Period {
    if (current !== null && isWithin(current, at)) return current;
    current = findPeriod(period, timeZone, at);
    return current;
  }
  return { ...budget, findPeriod: find };
}

function isWithin({ start, end }: Period, at: Date): boolean {
  return start <= at && (end === null || at < end);
}

/** All budgets and their generation at one instant. Without budgets, one row with nulls. */
const SELECT = sql<StoredBudget & { budgetGeneration: number }>`
SELECT w.budget_generation AS "budgetGeneration", b.id, b.name, b.scope::text, b.scope_agent_id AS "scopeAgentId",
  b.scope_label AS "scopeLabel", b.scope_value AS "scopeValue", b.unit::text, b.limit_amount AS "limit",
  b.period::text, b.time_zone AS "timeZone", b.thresholds, b.default_estimate AS "defaultEstimate",
  b.on_expiry::text AS "onExpiry", b.enabled, b.created_at AS "createdAt"
FROM workspace w LEFT JOIN budget b ON b.workspace_id = w.id
WHERE w.id = $1::uuid ORDER BY b.created_at, b.id`;
