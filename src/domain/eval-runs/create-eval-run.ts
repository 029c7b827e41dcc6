import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { EvalRun } from "../../db/generated/client.ts";
import { requireAgent } from "../agents/require-agent.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { jsonObject, name, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { toGate, gateShape } from "./eval-gate.ts";
import { evalRunEvent } from "./move-eval-run.ts";

/** An alias for the suite's current baseline. */
export const LATEST_BASELINE = "latest_baseline";

const shape = z.object({
  suite: name(LIMITS.nameLength),
  name: name(LIMITS.titleLength),
  agentId: uuid.nullish(),
  agentVersion: text(LIMITS.nameLength).nullish(),
  dataset: z.object({ name: text(LIMITS.nameLength), version: text(LIMITS.nameLength).nullish() }).nullish(),
  baselineRunId: z
    .union([z.literal(LATEST_BASELINE), uuid], `must be a UUID or ${LATEST_BASELINE}`)
    .nullish(),
  gate: gateShape.nullish(),
  source: z
    .object({
      commit: text(LIMITS.nameLength).nullish(),
      branch: text(LIMITS.titleLength).nullish(),
      ciUrl: text(LIMITS.textLength)
        .regex(/^https?:\/\/\S+$/i, "must be an http or https URL")
        .nullish(),
    })
    .nullish(),
  metadata: jsonObject(LIMITS.metadataBytes).default({}),
});

type Asked = z.output<typeof shape>;

/**
 * Creates an evaluation run with status `queued`. Its baseline is a completed run of the same suite;
 * `latest_baseline` is the suite's current one, or none if there is none.
 *
 * @returns the run; for a repeated Idempotency-Key, the run that it created.
 * @throws {DomainError} insufficient_scope without `eval_runs:write`; validation_failed; idempotency
 *   errors.
 */
export async function createEvalRun(ctx: Ctx, input: z.input<typeof shape>): Promise<EvalRun> {
  requireScope(ctx, "eval_runs:write");
  const asked = parseInput(shape, input);
  const id = uuidv7();
  return ctx.transaction(async (tx) => {
    const made = await claimIdempotencyKey(tx, id);
    if (made !== null) return findRun(tx, made);
    await requireAgent(tx, { field: "agentId", id: asked.agentId });
    const baselineRunId = await findBaselineId(tx, asked);
    const run = await tx.db.evalRun.create({ data: { id, baselineRunId, ...toColumns(ctx, asked) } });
    const act = { action: "eval_run.created", targetType: "eval_run", targetId: id };
    append(tx, {
      events: [evalRunEvent("eval_run.created", run)],
      totals: [{ collection: "eval_runs", to: run.status }],
      audit: ctx.actor.type === "agent" ? [] : [act],
    });
    return run;
  });
}

function toColumns(ctx: Ctx, { suite, name, agentId, agentVersion, ...json }: Asked) {
  const { dataset, gate, source, metadata } = json;
  const kept = toGate(gate);
  return {
    workspaceId: ctx.workspaceId,
    suite,
    name,
    agentId: agentId ?? null,
    agentVersion: agentVersion ?? null,
    ...(dataset && { dataset: omitEmpty({ name: dataset.name, version: dataset.version }) }),
    ...(kept !== null && { gate: kept }),
    ...(source && {
      source: omitEmpty({ commit: source.commit, branch: source.branch, ci_url: source.ciUrl }),
    }),
    // JSON that was parsed above.
    metadata: metadata as object,
    createdBy: createActorRecord(ctx.actor),
    ...getFixedTimes(ctx, "createdAt", "updatedAt"),
  };
}

/** Drops empty values. */
function omitEmpty(members: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

async function findRun({ db, ctx }: Transaction, id: string): Promise<EvalRun> {
  return db.evalRun.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

async function findBaselineId({ db }: Transaction, { suite, baselineRunId }: Asked): Promise<string | null> {
  if (!baselineRunId) return null;
  const isLatest = baselineRunId === LATEST_BASELINE;
  const one = isLatest ? { baseline: true } : { id: baselineRunId, status: "completed" as const };
  const found = await db.evalRun.findFirst({ where: { suite, ...one }, select: { id: true } });
  if (found !== null || isLatest) return found?.id ?? null;
  throw createFieldError("baselineRunId", "is not a completed run of this suite");
}
