import { type BatchedCheck, checkBatch } from "../../domain/gateway-checks/check-batch.ts";
import { builder } from "../builder.ts";
import { GatewayCheckType } from "./decision.ts";

const BatchedCheckError = builder
  .objectRef<NonNullable<BatchedCheck["error"]>>("BatchedCheckError")
  .implement({
    description: "Why a request can't be checked.",
    fields: (t) => ({
      code: t.string({
        description: "Such as `VALIDATION_FAILED`.",
        resolve: ({ code }) => code.toUpperCase(),
      }),
      message: t.exposeString("message"),
    }),
  });

const BatchedCheckType = builder.objectRef<BatchedCheck>("BatchedCheck").implement({
  description: "What the gateway says to one of several requests: either is null.",
  fields: (t) => ({
    check: t.field({ type: GatewayCheckType, nullable: true, resolve: ({ check }) => check }),
    error: t.field({ type: BatchedCheckError, nullable: true, resolve: ({ error }) => error }),
  }),
});

builder.relayMutationField(
  "checkGatewayBatch",
  {
    inputFields: (t) => ({
      requestText: t.string({
        required: true,
        description:
          "JSON text, at most 256 KiB: up to 50 requests as `evaluations`, defaults for their members, and `options` as in AuthZEN 1.0.",
      }),
    }),
  },
  {
    description:
      "Asks about several requests at once. Those after the one that decided are left out. Needs `gateway:check`.",
    // Up to 50 checks. What they cost is counted when they are known.
    complexity: 500,
    resolve: async (_root, { input: { requestText } }, ctx) => ({
      checks: await checkBatch(ctx, { requestText }),
    }),
  },
  {
    outputFields: (t) => ({
      checks: t.field({ type: [BatchedCheckType], resolve: ({ checks }) => checks }),
    }),
  },
);
