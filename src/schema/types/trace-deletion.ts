import { deleteTraces } from "../../domain/traces/delete-traces.ts";
import { builder } from "../builder.ts";
import { fromOptionalGlobalId } from "../global-id.ts";

builder.relayMutationField(
  "deleteTraces",
  {
    inputFields: (t) => ({
      conversationId: t.string({ description: "As spans say in `gen_ai.conversation.id`." }),
      agentId: t.id({ description: "The agent of the trace's first span." }),
    }),
  },
  {
    description:
      "Deletes a batch of the traces of a conversation or an agent, with their spans, content and scores. Sums of what " +
      "they used stay. For admins who entered the password recently.",
    resolve: async (_root, { input: { conversationId, agentId } }, ctx) =>
      deleteTraces(ctx, { conversationId, agentId: fromOptionalGlobalId("agentId", "Agent", agentId) }),
  },
  {
    outputFields: (t) => ({
      traces: t.exposeInt("traces", { description: "How many were deleted." }),
      spans: t.exposeInt("spans", { description: "How many spans they had." }),
      hasMore: t.exposeBoolean("hasMore", {
        description: "Whether to call it again, for those that are left.",
      }),
    }),
  },
);
