import { completeExecution } from "../../domain/executions/complete-execution.ts";
import { endSessionExecution } from "../../domain/executions/end-session-execution.ts";
import { failExecution } from "../../domain/executions/fail-execution.ts";
import { heartbeatExecution } from "../../domain/executions/heartbeat-execution.ts";
import { redeemApproval } from "../../domain/executions/redeem-approval.ts";
import { resolveExecution } from "../../domain/executions/resolve-execution.ts";
import { startExecution } from "../../domain/executions/start-execution.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { ControlStateEnum } from "./agent.ts";
import { Execution, ExecutionEffectEnum } from "./execution.ts";
import { AmountsInput } from "./reservation.ts";

const REQUEST = "The request as JSON text, as it was checked.";
const LEASE = "How long the agent has until it must report or send a heartbeat, 10 to 3,600. Default 120.";
const FENCE = "The execution's fence.";
const AMOUNTS = "What it used of its reservation, also if it is more. Null settles nothing.";

const ExecutionOutcomeEnum = addEnum(
  "ExecutionOutcome",
  { completed: "completed", failed: "failed", retried: "retried" } as const,
  "What a person says of an execution: how it ended, or that it is done again.",
);

const ExecutionFailure = builder.inputType("ExecutionFailure", {
  fields: (t) => ({
    code: t.string({ description: "1 to 64 characters. Default `failed`." }),
    message: t.string({ required: true, description: "1 to 2,000 characters." }),
  }),
});

/** Drops `clientMutationId` and converts the execution's Relay id to its uuid. */
function toDomainInput<Input extends { id: string; clientMutationId?: string | null }>(input: Input) {
  const { clientMutationId: _id, id, ...rest } = input;
  return { ...rest, id: fromGlobalId("id", "Execution", id) };
}

builder.relayMutationField(
  "redeemApproval",
  {
    inputFields: (t) => ({
      approvalId: t.id({ required: true }),
      requestText: t.string({ required: true, description: REQUEST }),
      leaseSeconds: t.int({ description: LEASE }),
    }),
  },
  {
    description:
      "Uses an approval once: opens the execution of what people approved. Policies are checked again. Needs `gateway:check`.",
    resolve: async (_root, { input: { approvalId, requestText, leaseSeconds } }, ctx) => ({
      execution: await redeemApproval(ctx, {
        ...omitNulls({ leaseSeconds }),
        requestText,
        approvalId: fromGlobalId("approvalId", "Approval", approvalId),
      }),
    }),
  },
  {
    outputFields: (t) => ({
      execution: t.field({ type: Execution, resolve: ({ execution }) => execution }),
    }),
  },
);

builder.relayMutationField(
  "startExecution",
  {
    inputFields: (t) => ({
      decisionUuid: t.field({ type: "UUID", required: true, description: "The check that allowed it." }),
      requestText: t.string({ required: true, description: REQUEST }),
      leaseSeconds: t.int({ description: LEASE }),
    }),
  },
  {
    description:
      "Opens the execution of what policies allow without a person. They are checked again. Needs `gateway:check`.",
    resolve: async (_root, { input: { decisionUuid: decisionId, requestText, leaseSeconds } }, ctx) => ({
      execution: await startExecution(ctx, { ...omitNulls({ leaseSeconds }), decisionId, requestText }),
    }),
  },
  {
    outputFields: (t) => ({
      execution: t.field({ type: Execution, resolve: ({ execution }) => execution }),
    }),
  },
);

builder.relayMutationField(
  "heartbeatExecution",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      fence: t.float({ required: true, description: FENCE }),
    }),
  },
  {
    description: "Extends the lease of an execution. Needs `gateway:check`.",
    resolve: (_root, { input }, ctx) => heartbeatExecution(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      leaseExpiresAt: t.expose("leaseExpiresAt", { type: "DateTime" }),
      controlState: t.expose("controlState", {
        type: ControlStateEnum,
        description: "What the agent may do: `STOPPED` during an emergency stop.",
      }),
    }),
  },
);

builder.relayMutationField(
  "completeExecution",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      fence: t.float({ required: true, description: FENCE }),
      result: t.field({ type: "JSON", description: "At most 64 KiB. Stored without secrets." }),
      amounts: t.field({ type: AmountsInput, description: AMOUNTS }),
    }),
  },
  {
    description: "Reports that an execution is done. Needs `gateway:check`.",
    resolve: async (_root, { input }, ctx) => ({
      execution: await completeExecution(ctx, toDomainInput(input)),
    }),
  },
  {
    outputFields: (t) => ({
      execution: t.field({ type: Execution, resolve: ({ execution }) => execution }),
    }),
  },
);

builder.relayMutationField(
  "failExecution",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      fence: t.float({ required: true, description: FENCE }),
      error: t.field({ type: ExecutionFailure, required: true }),
      effect: t.field({
        type: ExecutionEffectEnum,
        required: true,
        description: "What was done before it failed. With UNKNOWN, the execution is unknown too.",
      }),
      amounts: t.field({ type: AmountsInput, description: AMOUNTS }),
    }),
  },
  {
    description: "Reports that an execution failed. Needs `gateway:check`.",
    resolve: async (_root, { input }, ctx) => ({ execution: await failExecution(ctx, toDomainInput(input)) }),
  },
  {
    outputFields: (t) => ({
      execution: t.field({ type: Execution, resolve: ({ execution }) => execution }),
    }),
  },
);

builder.relayMutationField(
  "endSessionExecution",
  {
    inputFields: (t) => ({
      sessionKey: t.string({ required: true, description: "As it was given to `checkGateway`." }),
      error: t.field({ type: ExecutionFailure, description: "Null if it is done." }),
      effect: t.field({
        type: ExecutionEffectEnum,
        description: "What was done before it failed. Default UNKNOWN: then the execution is unknown too.",
      }),
    }),
  },
  {
    description:
      "Reports how the execution ended that a check with a session key opened. Needs `gateway:check`.",
    resolve: async (_root, { input: { sessionKey, error, effect } }, ctx) => ({
      execution: await endSessionExecution(ctx, { sessionKey, error, ...omitNulls({ effect }) }),
    }),
  },
  {
    outputFields: (t) => ({
      execution: t.field({
        type: Execution,
        nullable: true,
        description: "Null if there is none: no person had to approve.",
        resolve: ({ execution }) => execution,
      }),
    }),
  },
);

builder.relayMutationField(
  "resolveExecution",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      outcome: t.field({ type: ExecutionOutcomeEnum, required: true }),
      reason: t.string({ required: true, description: "1 to 2,000 characters." }),
    }),
  },
  {
    description:
      "Says how an execution ended that failed or is unknown, or has its agent do it again. For operators and above.",
    resolve: (_root, { input }, ctx) => resolveExecution(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      execution: t.field({ type: Execution, resolve: ({ execution }) => execution }),
      retry: t.field({
        type: Execution,
        nullable: true,
        description: "The new execution, with a larger fence. Null unless it is done again.",
        resolve: ({ retry }) => retry,
      }),
    }),
  },
);
