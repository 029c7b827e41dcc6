import { type Ctx, type Services, openCtx, systemCaller } from "../domain/context.ts";
import { invalid, notFound } from "../domain/errors.ts";
import { uuid } from "../domain/input.ts";

/**
 * Opens the workspace that an option names, for the command line.
 *
 * @throws {DomainError} validation_failed for what is no id; not_found.
 */
export async function openWorkspace(services: Services, workspace: string): Promise<Ctx> {
  const id = idOf("workspace", workspace);
  const found = await services.database.prisma.workspace.findUnique({ where: { id }, select: { id: true } });
  if (found === null) throw notFound("workspace");
  return openCtx(services, systemCaller(id, "command line"));
}

/**
 * The id that an option gives.
 *
 * @throws {DomainError} validation_failed.
 */
export function idOf(option: string, value: string): string {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw invalid(option, "must be a UUID");
  return parsed.data;
}
