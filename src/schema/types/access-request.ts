import { requestAccess } from "../../domain/gateway-checks/request-access.ts";
import { builder } from "../builder.ts";
import { Approval } from "./approval.ts";

builder.relayMutationField(
  "requestAccess",
  {
    inputFields: (t) => ({
      requestText: t.string({ required: true, description: "The request as JSON text, as it was checked." }),
      evaluationUuid: t.field({ type: "UUID", required: true, description: "The check that denied it." }),
      expiresAt: t.field({
        type: "DateTime",
        description: "Its `requestableUntil`: fails unless it is the same.",
      }),
    }),
  },
  {
    description:
      "Asks people about what a check denied, or finds what they have said already. Uses no approval. Needs `gateway:check`.",
    resolve: async (_root, { input: { evaluationUuid: evaluationId, requestText, expiresAt } }, ctx) => ({
      approval: await requestAccess(ctx, { evaluationId, requestText, expiresAt }),
    }),
  },
  { outputFields: (t) => ({ approval: t.field({ type: Approval, resolve: ({ approval }) => approval }) }) },
);
