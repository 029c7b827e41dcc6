import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import type { DecisionDurability, DecisionLogMode } from "../../db/generated/enums.ts";
import { createTurns, runInTurn } from "../kernel/turns.ts";
import type { DecisionDetails, DecisionRow, DecisionSummary } from "./decision-row.ts";
import { type Denials, createDenials } from "./denials.ts";
import { createDecisionSampler } from "./decision-sampler.ts";
import { createDecisionSums } from "./decision-sums.ts";
import {
  type DecisionLogLimits,
  type DecisionWriter,
  createDecisionWriter,
  createFullError,
} from "./decision-writer.ts";

/** What a workspace wants of its log: which permissions are stored, and whether before they are answered. */
export type DecisionLogSettings = { mode: DecisionLogMode; durability: DecisionDurability };

/** A decision to log. What it is about is described only if it is stored. */
export type LoggedDecision = { summary: DecisionSummary; describe: () => DecisionDetails };

/** The decisions of this node, on their way to the database. All are counted, also those that are not stored. */
export type DecisionLog = DecisionWriter & {
  /**
   * Logs decisions that are answered together. Resolves when they are stored if one of them has to be, and while too
   * many wait.
   *
   * @throws {DomainError} unavailable.
   */
  log: (decisions: readonly LoggedDecision[], settings: DecisionLogSettings) => Promise<void>;
  /** Counts a decision that was stored in a transaction. */
  count: (decision: DecisionSummary) => void;
  denials: Denials;
};

/** Opens the log of this node. */
export function createDecisionLog(
  database: Pick<Database, "run">,
  log: Logger,
  limits?: DecisionLogLimits,
): DecisionLog {
  const writer = createDecisionWriter(database, log, limits);
  const sums = createDecisionSums(database, log);
  const isSampled = createDecisionSampler();
  const denials = createDenials();
  const { run: takeTurn } = createTurns();

  function count(decision: DecisionSummary): void {
    sums.count(decision);
    denials.count(decision);
  }

  async function store(row: DecisionRow): Promise<void> {
    if (sums.isFull(row.workspaceId)) throw createFullError();
    await writer.store(row);
    count(row);
  }

  async function buffer(row: DecisionRow): Promise<void> {
    if (sums.isFull(row.workspaceId)) throw createFullError();
    await writer.buffer(row);
    count(row);
  }

  return {
    log: async (decisions, { mode, durability }) => {
      if (decisions.some(({ summary }) => sums.isFull(summary.workspaceId))) throw createFullError();
      const kept: DecisionRow[] = [];
      for (const { summary, describe } of decisions) {
        const isKept = mode === "all" || mustBeStored(summary) || isSampled(summary);
        // Of one request, there can be many.
        if (isKept) kept.push({ ...summary, ...(await runInTurn(takeTurn, summary.workspaceId, describe)) });
        else count(summary);
      }
      const isAwaited = durability === "strict" || kept.some(mustBeStored);
      await Promise.all(kept.map(isAwaited ? store : buffer));
    },
    store,
    buffer,
    count,
    denials,
    close: async () => {
      await writer.close();
      await sums.close();
    },
  };
}

/** Whether a decision is stored before it is said: a permission may be lost, unless monitored policies differ. */
function mustBeStored({ outcome, would }: DecisionSummary): boolean {
  return outcome !== "allow" || would !== null;
}
