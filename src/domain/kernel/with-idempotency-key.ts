import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { Ctx } from "./context.ts";
import { requireIdempotencyKey } from "./idempotency-key.ts";

/**
 * Makes the same work with the same key happen once.
 *
 * @param named `asked` is what the work is; with a key, it must be the same each time.
 * @throws {DomainError} invalid_parameter.
 */
export async function withIdempotencyKey<Done>(
  ctx: Ctx,
  { key, asked }: { key: string | undefined; asked: object },
  work: () => Promise<Done>,
): Promise<Done> {
  if (key === undefined) return work();
  // Infinity, which JSON can say as 1e999, has no canonical form. The work rejects it.
  const plain: unknown = JSON.parse(JSON.stringify(asked));
  const requestHash = new Uint8Array(
    createHash("sha256")
      .update(canonicalize(plain) ?? "")
      .digest(),
  );
  ctx.idempotency = { key: requireIdempotencyKey(key), requestHash };
  try {
    return await work();
  } finally {
    // Other requests of a batch have the same context.
    ctx.idempotency = null;
  }
}
