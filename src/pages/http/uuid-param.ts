import type { Context } from "hono";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import type { HttpEnv } from "../../http/request.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * The id in a page's path.
 *
 * @throws {DomainError} not_found if it isn't a UUID.
 */
export function getUuidParam<Env extends HttpEnv>(c: Context<Env>, what: string): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id.toLowerCase();
  throw createNotFoundError(what);
}
