import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { SCOPES, type Scope } from "../../src/domain/kernel/scopes.ts";
import type { TestServer } from "./server.ts";

type AgentOptions = { scopes?: readonly Scope[]; now?: Date | null; lineageId?: string };

/** The context of an existing agent with these scopes, or all, by API keys of one lineage unless said otherwise. */
export function agentCtx(
  server: Pick<TestServer, "services" | "systemCtx">,
  { id, workspaceId }: { id: string; workspaceId: string },
  { scopes = SCOPES, now = null, lineageId = id }: AgentOptions = {},
): Ctx {
  const keyId = crypto.randomUUID();
  const ids = { id: keyId, parent: { kind: "api_key", id: keyId }, lineageId } as const;
  const credential = { kind: "api_key", ...ids, expiresAt: null } as const;
  const actor = { type: "agent", id, name: "An agent", scopes: new Set(scopes), credential } as const;
  return openCtx(server.services, { ...server.systemCtx(workspaceId), actor }, now);
}
