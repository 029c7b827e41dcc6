import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findPeriodStart } from "./usage-buckets.ts";
import { type CallChange, isCharged } from "./usage-call.ts";

/**
 * Finds which calls are charged as those of other models: senders choose names, so that the sums of one workspace could
 * be any number. The first {@link LIMITS.countedModels} of a day have sums of their own. A call stays where it is
 * charged.
 */
export async function findOtherModels(
  tx: Transaction,
  changes: readonly CallChange[],
): Promise<CallChange[]> {
  const isOther = await findOthers(tx, changes.filter(isNewlyCharged).map(getCounted));
  return changes.map((change) => {
    const isOtherModel = isNewlyCharged(change)
      ? isOther(getCounted(change))
      : (change.before?.isOtherModel ?? false);
    return { ...change, after: { ...change.after, isOtherModel } };
  });
}

function getCounted({ after: { model, chargedAt } }: CallChange): CountedModel {
  return { model, at: chargedAt };
}

/** A model of which something is counted, and when. */
type CountedModel = { model: string | null; at: Date };

/**
 * Finds which models have no sums of their own on their days. Who names new models waits for others who do.
 *
 * @returns whether one of them is counted as one of other models.
 */
export async function findOthers(
  tx: Transaction,
  models: readonly CountedModel[],
): Promise<(model: CountedModel) => boolean> {
  const others = await listOthers(tx, models.map(getModelName));
  return (model) => others.has(toKey(getModelName(model)));
}

function isNewlyCharged({ before, after }: CallChange): boolean {
  const wasCharged = before !== null && isCharged(before) && before.model === after.model;
  return isCharged(after) && !wasCharged;
}

/** A model, empty if it is not known, and the UTC day on which its calls are charged. */
type ModelName = { day: Date; model: string };

function getModelName({ model, at }: CountedModel): ModelName {
  return { day: findPeriodStart("day", at), model: model ?? "" };
}

function toKey({ day, model }: ModelName): string {
  return `${day.getTime()} ${model}`;
}

/** @returns the keys of those without sums of their own. */
async function listOthers(tx: Transaction, all: readonly ModelName[]): Promise<Set<string>> {
  const named = all.filter(({ model }) => model !== "");
  const names = [...new Map(named.map((name) => [toKey(name), name])).values()];
  if (names.length === 0) return new Set();
  const unknown = await readUnknown(tx, names);
  if (!unknown.some(hasRoom)) return toKeys(unknown);
  await tx.run(LOCK_NAMES, [tx.ctx.workspaceId]);
  const added = new Map<number, number>();
  const others = (await readUnknown(tx, names)).filter(({ day, count }) => {
    const more = added.get(day.getTime()) ?? 0;
    added.set(day.getTime(), more + 1);
    return !hasRoom({ count: count + more });
  });
  return toKeys(others);
}

function toKeys(names: readonly ModelName[]): Set<string> {
  return new Set(names.map(toKey));
}

/** A model that has no sums on a day, and how many have. */
type UnknownName = ModelName & { count: number };

function hasRoom({ count }: Pick<UnknownName, "count">): boolean {
  return count < LIMITS.countedModels;
}

async function readUnknown({ ctx, run }: Transaction, names: readonly ModelName[]): Promise<UnknownName[]> {
  return run(UNKNOWN, [ctx.workspaceId, names.map(({ day }) => day), names.map(({ model }) => model)]);
}

/**
 * Models without sums on a day. Those of other models together have the empty name. The limit makes PostgreSQL look up
 * each model by its key, however many there are.
 */
const UNKNOWN = sql<UnknownName>`
WITH unknown AS MATERIALIZED (
  SELECT g.day, g.model FROM unnest($2::timestamptz[], $3::text[]) g (day, model)
  LEFT JOIN LATERAL (
    SELECT true AS found FROM usage_bucket b
    WHERE b.workspace_id = $1::uuid AND b.dimension = 'model' AND b.period = 'day' AND b.key = g.model
      AND b.start = g.day LIMIT 1
  ) known ON true
  WHERE known.found IS NULL
),
days AS MATERIALIZED (
  SELECT d.day, (
    SELECT count(DISTINCT b.key) FROM usage_bucket b
    WHERE b.workspace_id = $1::uuid AND b.dimension = 'model' AND b.period = 'day' AND b.start = d.day
      AND b.key <> ''
  )::int AS count FROM (SELECT DISTINCT day FROM unknown) d
)
SELECT u.day, u.model, d.count FROM unknown u JOIN days d USING (day)`;

const LOCK_NAMES = sql`SELECT pg_advisory_xact_lock(hashtextextended('charged models of ' || $1, 0))`;
