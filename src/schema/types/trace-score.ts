import { AnnotatorKind } from "../../db/generated/enums.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { deleteScore } from "../../domain/traces/scores/delete-score.ts";
import { readScores } from "../../domain/traces/scores/read-scores.ts";
import { scoreTrace } from "../../domain/traces/scores/score-trace.ts";
import type { TraceScore } from "../../domain/traces/scores/trace-score.ts";
import { toTraceId } from "../../domain/traces/trace-ids.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { Trace } from "./trace.ts";

const TraceAnnotatorKind = addEnum(
  "TraceAnnotatorKind",
  AnnotatorKind,
  "Who gave a score: a person, a program, or a model that judges.",
);

const Score = builder.objectRef<TraceScore>("TraceScore").implement({
  description: "What somebody thinks of a trace, or of one of its spans.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    traceId: t.string({ resolve: ({ traceId }) => toTraceId(traceId) }),
    spanId: t.exposeString("spanId", { nullable: true, description: "Null for the whole trace." }),
    name: t.exposeString("name"),
    value: t.exposeFloat("value", { nullable: true }),
    label: t.exposeString("label", { nullable: true }),
    comment: t.exposeString("comment", { nullable: true }),
    annotatorKind: t.expose("annotatorKind", { type: TraceAnnotatorKind }),
    givenBy: t.expose("givenBy", { type: "Actor" }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

/** They are read at once, and charged by how many there are. */
const SCORES_COST = { field: 10, multiplier: 1 };

const loadScores = createBatchLoader<TraceScore[]>(readScores);

builder.prismaObjectField(Trace, "scores", (t) =>
  t.field({
    type: [Score],
    description: `Oldest first, at most ${LIMITS.scoresOfTrace}.`,
    complexity: SCORES_COST,
    resolve: async ({ id }, _args, ctx) => (await loadScores(ctx, id)) ?? [],
  }),
);

builder.relayMutationField(
  "scoreTrace",
  {
    inputFields: (t) => ({
      traceId: t.string({ required: true, description: "32 hexadecimal digits." }),
      spanId: t.string({ description: "16 hexadecimal digits. Default: the whole trace." }),
      name: t.string({ required: true, description: "What is judged, such as `quality`." }),
      value: t.float(),
      label: t.string({ description: "Required without a value." }),
      comment: t.string(),
      annotatorKind: t.field({
        type: TraceAnnotatorKind,
        description: "HUMAN for people, CODE (the default) or LLM for agents.",
      }),
    }),
  },
  {
    description:
      "Gives a trace, or a span of it, a score, or replaces the caller's score of that name. For people, and agents " +
      "with `traces:write`.",
    resolve: async (_root, { input: { clientMutationId: _id, ...score } }, ctx) => ({
      score: await scoreTrace(ctx, score),
    }),
  },
  { outputFields: (t) => ({ score: t.field({ type: Score, resolve: ({ score }) => score }) }) },
);

builder.relayMutationField(
  "deleteScore",
  { inputFields: (t) => ({ uuid: t.field({ type: "UUID", required: true }) }) },
  {
    description: "Deletes a score of a trace: one's own, or as an admin anybody's.",
    resolve: async (_root, { input: { uuid } }, ctx) => ({ score: await deleteScore(ctx, { id: uuid }) }),
  },
  { outputFields: (t) => ({ score: t.field({ type: Score, resolve: ({ score }) => score }) }) },
);
