import { type Ctx, openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import { createFieldError, createNotFoundError } from "../domain/kernel/errors.ts";
import { uuid } from "../domain/kernel/input.ts";

/**
 * Opens the workspace of an option, as the command line's system actor.
 *
 * @throws {DomainError} validation_failed if it is not an id; not_found.
 */
export async function openWorkspace(services: Services, workspace: string): Promise<Ctx> {
  const id = parseId("workspace", workspace);
  const found = await services.database.prisma.workspace.findUnique({ where: { id }, select: { id: true } });
  if (found === null) throw createNotFoundError("workspace");
  return openCtx(services, systemCaller(id, "command line"));
}

/**
 * Parses an option's id.
 *
 * @throws {DomainError} validation_failed.
 */
export function parseId(option: string, value: string): string {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw createFieldError(option, "must be a UUID");
  return parsed.data;
}
