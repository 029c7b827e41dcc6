import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/domain/kernel/limits.ts";
import type { Ctx } from "../../../../src/domain/kernel/context.ts";
import type { Role } from "../../../../src/domain/kernel/scopes.ts";
import { deleteScore } from "../../../../src/domain/traces/scores/delete-score.ts";
import { readScores } from "../../../../src/domain/traces/scores/read-scores.ts";
import { scoreTrace } from "../../../../src/domain/traces/scores/score-trace.ts";
import { toTraceUuid } from "../../../../src/domain/traces/trace-ids.ts";
import { agentCtx } from "../../../support/agent-ctx.ts";
import { createSpan, newTraceId } from "../../../support/otlp.ts";
import { lastAudit, personCtx, readEventTypes } from "../../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../../support/quiet-services.ts";
import {
  type TraceScene,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../../support/trace-scene.ts";

let server: QuietServices;
let scene: TraceScene;
let traceId: string;

const SPAN_ID = "0123456789abcdef";

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  traceId = newTraceId();
  await sendSpans(scene.agent, [createSpan({ traceId, spanId: SPAN_ID })]);
});

function person(role: Role): Ctx {
  return personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role });
}

async function list() {
  const id = toTraceUuid(traceId);
  return (await readScores(scene.system, [id])).get(id);
}

const GOOD = { name: "quality", value: 1 };

describe("scoreTrace", () => {
  it("takes scores by hand of viewers, and of programs and models of agents", async () => {
    const by = await scoreTrace(person("viewer"), { traceId, ...GOOD, comment: "Well done." });
    expect(by).toMatchObject({ annotatorKind: "human", value: 1, spanId: null, generation: 1 });
    await scoreTrace(scene.agent, { traceId, ...GOOD });
    await scoreTrace(scene.agent, {
      traceId,
      spanId: SPAN_ID,
      name: "tone",
      label: "polite",
      annotatorKind: "llm",
    });
    expect(await list()).toMatchObject([
      { annotatorKind: "human", comment: "Well done.", givenBy: { type: "user", name: "Somebody" } },
      { annotatorKind: "code", givenBy: { type: "agent", id: scene.agentId } },
      { annotatorKind: "llm", spanId: SPAN_ID, label: "polite", value: null },
    ]);
  });

  it("replaces the score that the caller gave by that name, and no other", async () => {
    const [one, other] = [person("viewer"), person("operator")];
    const first = await scoreTrace(one, { traceId, ...GOOD, comment: "x" });
    const second = await scoreTrace(one, { traceId, name: "quality", value: 0 });
    expect(second).toMatchObject({ id: first.id, value: 0, comment: null, generation: 2 });
    await scoreTrace(other, { traceId, ...GOOD });
    await scoreTrace(one, { traceId, ...GOOD, spanId: SPAN_ID });
    await scoreTrace(one, { traceId, ...GOOD, name: "tone" });
    expect(await list()).toHaveLength(4);
  });

  it("tells everybody, and audits what people say", async () => {
    await scoreTrace(scene.agent, { traceId, ...GOOD });
    const by = person("viewer");
    const { id } = await scoreTrace(by, { traceId, ...GOOD });
    const uuid = toTraceUuid(traceId);
    expect(await lastAudit(server, scene.workspaceId)).toEqual({
      ...{ action: "trace.scored", target_id: uuid },
      changes: { name: "quality", span_id: null, value: 1, label: null },
    });
    await deleteScore(by, { id });
    expect(await lastAudit(server, scene.workspaceId)).toMatchObject({ action: "trace.score_deleted" });
    expect(await readEventTypes(server, uuid)).toEqual([
      "trace.scored",
      "trace.scored",
      "trace.score_deleted",
    ]);
  });

  it("rejects an actor without the scope, without a session, and kinds of others", async () => {
    const reader = agentCtx(
      server,
      { id: scene.agentId, workspaceId: scene.workspaceId },
      { scopes: ["traces:read"] },
    );
    await expect(scoreTrace(reader, { traceId, ...GOOD })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    await expect(scoreTrace(scene.system, { traceId, ...GOOD })).rejects.toMatchObject({ code: "forbidden" });
    const byHand = { traceId, ...GOOD, annotatorKind: "human" } as const;
    await expect(scoreTrace(scene.agent, byHand)).rejects.toMatchObject({ code: "validation_failed" });
    const byModel = { traceId, ...GOOD, annotatorKind: "llm" } as const;
    await expect(scoreTrace(person("owner"), byModel)).rejects.toMatchObject({ code: "validation_failed" });
  });

  it.each([
    [{ name: "x" }, "validation_failed"],
    [{ name: "", value: 1 }, "validation_failed"],
    [{ name: "x", value: 1e13 }, "validation_failed"],
    [{ name: "x", value: Number.NaN }, "validation_failed"],
    [{ name: "x", label: "x".repeat(65) }, "validation_failed"],
    [{ name: "x", value: 1, comment: "x\0" }, "validation_failed"],
    [{ name: "x", value: 1, spanId: "1" }, "validation_failed"],
    [{ name: "x", value: 1, spanId: "f".repeat(16) }, "not_found"],
    [{ name: "x", value: 1, traceId: "f".repeat(32) }, "not_found"],
  ])("rejects what can't be (%j)", async (given, code) => {
    await expect(scoreTrace(scene.agent, { traceId, ...given })).rejects.toMatchObject({ code });
    expect(await list()).toEqual([]);
  });

  it("keeps a limited number of scores of a trace, also if they are given at once", async () => {
    await server.database.query(
      `INSERT INTO trace_score (workspace_id, id, trace_id, span_id, name, value, annotator_kind, actor_id, given_by,
         created_at, updated_at)
       SELECT $1, gen_random_uuid(), $2, '', 'n' || n, 1, 'code', $3, '{}', now(), now() FROM generate_series(1, $4::int) n`,
      [scene.workspaceId, toTraceUuid(traceId), scene.agentId, LIMITS.scoresOfTrace - 1],
    );
    const given = await Promise.allSettled(
      ["a", "b", "c"].map((name) => scoreTrace(scene.agent, { traceId, name, value: 1 })),
    );
    expect(given.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    await scoreTrace(scene.agent, { traceId, name: "n1", value: 2 });
    expect(await list()).toHaveLength(LIMITS.scoresOfTrace);
  });
});

describe("deleteScore", () => {
  it("deletes one's own, and for admins anybody's", async () => {
    const by = person("operator");
    const [own, others] = [
      await scoreTrace(by, { traceId, ...GOOD }),
      await scoreTrace(scene.agent, { traceId, ...GOOD }),
    ];
    await expect(deleteScore(by, { id: others.id })).rejects.toMatchObject({ code: "forbidden" });
    const { ctx: sender } = await createOtherSender(server, scene);
    await expect(deleteScore(sender, { id: own.id })).rejects.toMatchObject({ code: "forbidden" });
    expect(await list()).toHaveLength(2);
    await deleteScore(by, { id: own.id });
    await deleteScore(person("admin"), { id: others.id });
    expect(await list()).toEqual([]);
    await expect(deleteScore(by, { id: own.id })).rejects.toMatchObject({ code: "not_found" });
  });
});
