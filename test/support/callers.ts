import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import type { ApiKey } from "../../src/db/generated/client.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { type Role, isScope } from "../../src/domain/kernel/scopes.ts";
import { expectMessage } from "./error-message.ts";
import type { TestServer } from "./server.ts";

/** Services that create contexts. */
type Opened = Pick<TestServer, "services" | "systemCtx">;

/** The context of a user with a role but without a row. */
export function userCtx(server: Opened, workspaceId: string, role: Role): Ctx {
  return openCtx(server.services, {
    ...server.systemCtx(workspaceId),
    actor: {
      type: "user",
      id: crypto.randomUUID(),
      name: `The ${role}`,
      role,
      session: { id: crypto.randomUUID(), familyId: crypto.randomUUID(), isSudo: true, needsFactor: false },
    },
  });
}

/** The context of an API key. */
export function keyCtx(server: Opened, ctx: Ctx, { id, agentId, lineageId, scopes }: ApiKey): Ctx {
  return openCtx(server.services, {
    ...ctx,
    actor: {
      type: "agent",
      id: agentId,
      name: "An agent",
      scopes: new Set(scopes.filter(isScope)),
      credential: { kind: "api_key", id, parent: { kind: "api_key", id: id }, lineageId, expiresAt: null },
    },
  });
}

/** Creates an API key with these scopes. @returns the key. */
export async function createKeyWith(
  server: TestServer,
  workspaceId: string,
  scopes: readonly string[],
): Promise<string> {
  const ctx = server.systemCtx(workspaceId);
  const { secret } = await createApiKey(ctx, { name: "A key of a test", scopes: [...scopes] });
  return secret;
}

/** The code of a rejected promise's DomainError, whose message must say something, or "" if it resolves. */
export async function getErrorCode(refused: Promise<unknown>): Promise<string> {
  try {
    await refused;
    return "";
  } catch (error) {
    if (error instanceof DomainError) expectMessage(error.message);
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** The details of a DomainError, the error itself if it has none, or null if the promise resolves. */
export async function getErrorDetails(refused: Promise<unknown>): Promise<unknown> {
  const error: unknown = await refused.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error !== null && typeof error === "object" && "details" in error ? error.details : error;
}
