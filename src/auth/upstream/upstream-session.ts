import type { McpServer } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { requireAgent } from "../../domain/kernel/guard.ts";
import { isObject } from "../../domain/kernel/is-object.ts";

const SECONDS = 86_400;
/** Visible ASCII, as the protocol wants it, and short enough for a header. */
const SESSION = /^[\x21-\x7e]{1,1024}$/;

type Server = Pick<McpServer, "id">;

/** Seals a server's session for the calling agent, so that no other agent can use it. Null if it is no session. */
export async function sealSession(ctx: Ctx, server: Server, session: unknown): Promise<string | null> {
  if (typeof session !== "string" || !SESSION.test(session)) return null;
  return ctx.services.clientStates.seal({ session }, { binding: bind(ctx, server), seconds: SECONDS });
}

/**
 * Opens a session that the calling agent brings back.
 *
 * @throws {DomainError} not_found, after which clients begin another one.
 */
export async function openSession(ctx: Ctx, server: Server, sealed: string): Promise<string> {
  const state = await ctx.services.clientStates.open(sealed, bind(ctx, server));
  if (isObject(state) && typeof state["session"] === "string") return state["session"];
  throw createNotFoundError("session");
}

function bind(ctx: Ctx, { id }: Server): string[] {
  return ["mcp session", ctx.workspaceId, id, requireAgent(ctx).id];
}
