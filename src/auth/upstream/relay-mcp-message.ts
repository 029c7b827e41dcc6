import type { Ctx } from "../../domain/kernel/context.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { requireCallableServer } from "../../domain/mcp/require-callable-server.ts";
import type { OutboundAnswer, OutboundLimits } from "../../http/outbound/exchange.ts";
import { type UpstreamMessage, readResponse } from "./read-messages.ts";
import { sendUpstream, toUpstreamErrors } from "./send-upstream.ts";
import { getUpstreamServices } from "./upstream-services.ts";
import { openSession, sealSession } from "./upstream-session.ts";
import { withHealth } from "./with-health.ts";

/** A message of an agent to a server, which calls no tool. Without an id, nothing is answered. */
export type RelayedMessage = {
  slug: string;
  id?: string | number;
  method: string;
  params: object;
  /** Of the protocol, besides the session. */
  headers: Readonly<Record<string, string>>;
  /** As the agent has it. */
  session: string | null;
};

/** What a server answered: null if it is no fitting response. */
export type RelayedAnswer = { status: number; message: UpstreamMessage | null; session: string | null };

const TIMES: Partial<OutboundLimits> = {
  firstByteMs: 15_000,
  silenceMs: 15_000,
  wholeMs: 30_000,
  answerBytes: LIMITS.mcpAnswerBytes,
};

/**
 * Sends a message that calls no tool to a server, and reads its answer.
 *
 * @throws {UpstreamError}
 * @throws {DomainError} insufficient_scope without `mcp:use`; forbidden for anybody but agents, and while the server is
 *   disabled; not_found, also for a session that is not the agent's; rate_limited.
 */
export async function relayMcpMessage(ctx: Ctx, relayed: RelayedMessage): Promise<RelayedAnswer> {
  const server = await requireCallableServer(ctx, relayed.slug);
  const services = getUpstreamServices(ctx);
  services.traffic.requireRoom(server.id);
  const { id, method, params, headers } = relayed;
  const session = relayed.session === null ? null : await openSession(ctx, server, relayed.session);
  const body = JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), method, params });
  const sent = { ...headers, ...(session !== null && { "mcp-session-id": session }) };
  return withHealth(ctx, server, () =>
    services.traffic.run(server.id, () =>
      toUpstreamErrors(async () => {
        const answer = await sendUpstream(services, server, { body, headers: sent, limits: TIMES });
        const sealed = await sealSession(ctx, server, answer.headers["mcp-session-id"]);
        return { status: answer.status, message: await readMessage(answer, id), session: sealed };
      }),
    ),
  );
}

/**
 * Ends the calling agent's session with a server.
 *
 * @returns the server's status: many keep sessions as long as they like.
 * @throws as {@link relayMcpMessage}.
 */
export async function endMcpSession(
  ctx: Ctx,
  { slug, session: sealed, headers }: Pick<RelayedMessage, "slug" | "headers"> & { session: string },
): Promise<number> {
  const server = await requireCallableServer(ctx, slug);
  const services = getUpstreamServices(ctx);
  services.traffic.requireRoom(server.id);
  const session = { "mcp-session-id": await openSession(ctx, server, sealed) };
  return withHealth(ctx, server, () =>
    services.traffic.run(server.id, async () => {
      const options = { body: undefined, headers: { ...headers, ...session }, limits: TIMES };
      const answer = await sendUpstream(services, server, options);
      answer.discard();
      return answer.status;
    }),
  );
}

/** Null without a fitting response. */
async function readMessage(
  answer: OutboundAnswer,
  id: RelayedMessage["id"],
): Promise<UpstreamMessage | null> {
  if (id === undefined || answer.status >= 500) {
    answer.discard();
    return null;
  }
  try {
    return await readResponse(answer, id, LIMITS.mcpAnswerBytes);
  } catch (error) {
    // Servers of another version of the protocol may refuse it with any text.
    if (answer.status === 200) throw error;
    answer.discard();
    return null;
  }
}
