import { archiveInboxItem } from "../../domain/inbox/archive-inbox-item.ts";
import { listArchivedInboxItems } from "../../domain/inbox/list-archived-inbox-items.ts";
import { unarchiveInboxItem } from "../../domain/inbox/unarchive-inbox-item.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";

const KEY =
  "The id of a question, an approval or an execution, or that of an MCP server with how many of its tools are new and how many changed, such as `018f… 2 0`.";

builder.queryField("archivedInboxItems", (t) =>
  t.stringList({
    description: `The keys of what the caller archived of the inbox, the newest first: at most ${LIMITS.archivedInboxItems}. For people.`,
    complexity: { field: 1, multiplier: LIMITS.archivedInboxItems },
    resolve: (_root, _args, ctx) => listArchivedInboxItems(ctx),
  }),
);

builder.relayMutationField(
  "archiveInboxItem",
  { inputFields: (t) => ({ key: t.string({ required: true, description: KEY }) }) },
  {
    description: `Archives an item of the caller's inbox, on all of their devices; nothing changes for others. The oldest of more than ${LIMITS.archivedInboxItems} is forgotten. For people.`,
    resolve: async (_root, { input: { key } }, ctx) => {
      await archiveInboxItem(ctx, { key });
      return { archivedInboxItems: await listArchivedInboxItems(ctx) };
    },
  },
  { outputFields: (t) => ({ archivedInboxItems: t.exposeStringList("archivedInboxItems") }) },
);

builder.relayMutationField(
  "unarchiveInboxItem",
  { inputFields: (t) => ({ key: t.string({ required: true, description: KEY }) }) },
  {
    description: "Brings an item back to the caller's inbox. For people.",
    resolve: async (_root, { input: { key } }, ctx) => {
      await unarchiveInboxItem(ctx, { key });
      return { archivedInboxItems: await listArchivedInboxItems(ctx) };
    },
  },
  { outputFields: (t) => ({ archivedInboxItems: t.exposeStringList("archivedInboxItems") }) },
);
