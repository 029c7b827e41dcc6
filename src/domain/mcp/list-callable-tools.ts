import { z } from "zod";
import type { McpServer, McpTool } from "../../db/generated/client.ts";
import { isListed } from "../gateway-checks/is-listed.ts";
import { readGateState } from "../gateway-checks/gate-state.ts";
import { resolveEntities } from "../gateway-checks/resolve-entities.ts";
import { selectPolicies } from "../gateway-checks/select-policies.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent } from "../kernel/guard.ts";
import { isObject } from "../kernel/is-object.ts";
import { parseInput } from "../kernel/input.ts";
import type { Steps } from "../kernel/turns.ts";
import { CALL_TOOL, toToolId } from "./name-tool.ts";
import { requireCallableServer } from "./require-callable-server.ts";

const shape = z.object({ slug: z.string() });

/** A server with the definitions of the tools that the calling agent may call, or ask people to. */
export type CallableTools = { server: McpServer; tools: Record<string, unknown>[] };

type Pinned = Pick<McpTool, "name" | "approvedDefinition">;

/**
 * Lists the tools of a server as an admin approved them, without those that policies deny whatever the arguments. The
 * server is not asked.
 *
 * @throws {DomainError} insufficient_scope without `mcp:use`; forbidden for anybody but agents, and while the server is
 *   disabled; not_found.
 */
export async function listCallableTools(ctx: Ctx, input: z.input<typeof shape>): Promise<CallableTools> {
  const { slug } = parseInput(shape, input);
  const server = await requireCallableServer(ctx, slug);
  const pinned = await ctx.db.mcpTool.findMany({
    where: { workspaceId: ctx.workspaceId, serverId: server.id, status: "approved" },
    select: { name: true, approvedDefinition: true },
    orderBy: { name: "asc" },
  });
  const callable = await keepCallable(ctx, slug, pinned);
  return { server, tools: callable.flatMap(toListed) };
}

async function keepCallable(ctx: Ctx, slug: string, pinned: readonly Pinned[]): Promise<Pinned[]> {
  const { id: callerId } = requireAgent(ctx);
  const { policies } = ctx.services;
  const asked = {
    action: { name: CALL_TOOL, properties: {} },
    resource: { type: "tool", id: slug, properties: {} },
    context: {},
  };
  const state = await readGateState(ctx, [asked], callerId);
  const { index } = await policies.get(ctx.workspaceId, state.generation);
  const request = resolveEntities(asked, state, callerId);
  function* keep(): Steps<Pinned[]> {
    const kept: Pinned[] = [];
    for (const tool of pinned) {
      const resource = { ...request.resource, id: toToolId(slug, tool.name) };
      const selected = yield* selectPolicies(index, { ...request, resource });
      if (isListed(selected, state.fallback)) kept.push(tool);
      yield;
    }
    return kept;
  }
  return policies.runInTurns(ctx.workspaceId, keep());
}

/** Without what asks clients to call it in a way that is not passed on. */
function toListed({ approvedDefinition }: Pinned): Record<string, unknown>[] {
  if (!isObject(approvedDefinition)) return [];
  const { execution: _execution, ...definition } = approvedDefinition;
  return [definition];
}
