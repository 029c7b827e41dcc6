import { deleteTraces } from "../../domain/traces/delete-traces.ts";
import { builder } from "../builder.ts";
import { fromOptionalGlobalId } from "../global-id.ts";

/** A person's are searched for. */
const SEARCH_COST = 200;

builder.relayMutationField(
  "deleteTraces",
  {
    inputFields: (t) => ({
      conversationId: t.string({ description: "As spans say in `gen_ai.conversation.id`." }),
      agentId: t.id({ description: "The agent of the trace's first span." }),
      person: t.string({
        description:
          "As spans or their processes name them, in attributes such as `user.id` and `user.email`.",
      }),
      after: t.string({ description: "The `endCursor` of the call before, with `person`." }),
    }),
  },
  {
    description:
      "Deletes a batch of the traces of a conversation, an agent or a person, with their spans, content and scores. " +
      "Sums of what they used stay. For admins who entered the password recently.",
    complexity: SEARCH_COST,
    resolve: async (_root, { input: { clientMutationId: _id, agentId, ...given } }, ctx) =>
      deleteTraces(ctx, { ...given, agentId: fromOptionalGlobalId("agentId", "Agent", agentId) }),
  },
  {
    outputFields: (t) => ({
      traces: t.exposeInt("traces", { description: "How many were deleted." }),
      spans: t.exposeInt("spans", { description: "How many spans they had." }),
      hasMore: t.exposeBoolean("hasMore", {
        description: "Whether to call it again, for those that are left.",
      }),
      endCursor: t.exposeString("endCursor", {
        nullable: true,
        description: "With `person`, the `after` of the next call.",
      }),
    }),
  },
);
