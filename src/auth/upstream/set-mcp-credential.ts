import { z } from "zod";
import type { McpServer } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, uuid } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { describeMcpServer, lockMcpServer } from "../../domain/mcp/change-mcp-servers.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";
import { CREDENTIAL_COLUMN } from "./credential-headers.ts";
import { getUpstreamServices } from "./upstream-services.ts";

/** Headers that the proxy sets itself, or that belong to a connection. */
const RESERVED =
  /^(?:authorization|host|cookie|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|proxy-.*|expect|accept.*|mcp-.*|traceparent|tracestate)$/;

const secret = z
  .string()
  .max(LIMITS.secretLength, `must have at most ${LIMITS.secretLength} characters`)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, "must be visible ASCII characters");

const header = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be 1 to 64 letters, digits and hyphens")
  .transform((name) => name.toLowerCase())
  .refine((name) => !RESERVED.test(name), "is set by the proxy itself: use another one, or a bearer");

const shape = z.object({
  serverId: uuid,
  /** The header that carries the secret; null for a bearer. */
  header: header.nullable().default(null),
  /** Null to send none. */
  secret: secret.nullable(),
});

/**
 * Stores the secret with which requests are sent to a server, sealed, in place of the one before. Nobody can read it
 * again.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; validation_failed, also if
 *   this server has no key to seal it.
 */
export async function setMcpCredential(ctx: Ctx, input: z.input<typeof shape>): Promise<McpServer> {
  requireSudo(ctx, "admin");
  const { serverId: id, header: name, secret: text } = parseInput(shape, input);
  const { workspaceId } = ctx;
  const sealed = text === null ? null : seal(ctx, id, text);
  const kind = text === null ? "none" : name === null ? "bearer" : "header";
  return ctx.transaction(async (tx) => {
    const before = await lockMcpServer(tx, id);
    const at = await tx.now();
    const by = createActorRecord(ctx.actor);
    const server = await tx.db.mcpServer.update({
      where: { workspaceId_id: { workspaceId, id } },
      data: {
        credentialKind: kind,
        credentialHeader: kind === "header" ? name : null,
        sealedCredential: sealed,
        credentialSetAt: at,
        credentialSetBy: by,
        updatedBy: by,
        updatedAt: at,
        generation: before.generation + 1,
      },
    });
    append(tx, {
      ...describeMcpServer("mcp_server.credential_changed", server, {
        kind,
        header: server.credentialHeader,
      }),
      totals: [{ collection: "mcp_servers", from: null, to: null }],
    });
    return server;
  });
}

function seal(ctx: Ctx, id: string, text: string): Uint8Array<ArrayBuffer> {
  const { sealedBox } = getUpstreamServices(ctx);
  if (sealedBox !== null)
    return sealedBox.seal(text, getSealedPlace(CREDENTIAL_COLUMN, { workspaceId: ctx.workspaceId, id }));
  throw createFieldError(
    "secret",
    "requires a server with a key for secrets: set SECRETS_KEY there, then try again",
  );
}
