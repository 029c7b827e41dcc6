import { type CallableTools, listCallableTools } from "../../domain/mcp/list-callable-tools.ts";
import { builder } from "../builder.ts";

const CallableMcpServer = builder.objectRef<CallableTools>("CallableMcpServer").implement({
  description: "An MCP server as the calling agent sees it at `/mcp/proxy/<slug>`.",
  fields: (t) => ({
    slug: t.string({ resolve: ({ server }) => server.slug }),
    name: t.string({ resolve: ({ server }) => server.name }),
    tools: t.expose("tools", {
      type: ["JSON"],
      complexity: { field: 1, multiplier: 1 },
      description:
        "The definitions that an admin approved, of the tools that the agent may call or ask people to.",
    }),
  }),
});

builder.queryFields((t) => ({
  callableMcpServer: t.field({
    type: CallableMcpServer,
    description: "An MCP server that the calling agent may use. Needs `mcp:use`.",
    args: { slug: t.arg.string({ required: true }) },
    resolve: (_root, { slug }, ctx) => listCallableTools(ctx, { slug }),
  }),
}));
