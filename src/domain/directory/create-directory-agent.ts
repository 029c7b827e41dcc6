import { getDatabaseErrorKind } from "../../db/database-errors.ts";
import { insertAgent } from "../agents/insert-agent.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { coerceResource } from "./coerce.ts";
import type { NewResource } from "./create-directory-user.ts";
import { readAgentAttributes } from "./agent-attributes.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { rereadResource } from "./read-resource.ts";
import { requireValid } from "./require-valid.ts";
import type { Resource } from "./resource.ts";

/**
 * Creates an agent, without credentials: an admin, or a trusted workload's token, gives it some.
 *
 * @throws {DomainError} forbidden; validation_failed; already_exists if an agent has or had the handle; emergency_stop.
 * @see RFC 7644, 3.3.
 */
export async function createDirectoryAgent(ctx: Ctx, input: NewResource): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const attributes = coerceResource("Agent", input.attributes);
  requireValid("Agent", attributes, false);
  const { isActive, ...asked } = readAgentAttributes(attributes);
  try {
    return await ctx.transaction(async (tx) => {
      await noteProvisioning(tx);
      const archivedAt = isActive ? null : await tx.now();
      const id = input.id ?? undefined;
      const { agent, appended } = await insertAgent(tx, { ...asked, archivedAt, ...(id && { id }) });
      const made = await rereadResource(tx, { type: "Agent", id: agent.id, members: "none" });
      const changes = { handle: agent.handle, kind: agent.kind, active: isActive };
      append(tx, {
        ...appended,
        audit: [{ action: "agent.created", targetType: "agent", targetId: agent.id, changes }],
      });
      return made;
    });
  } catch (error) {
    if (getDatabaseErrorKind(error) !== "taken") throw error;
    throw new DomainError("already_exists", "Another agent has or had this agentUserName.", {
      field: "agentUserName",
    });
  }
}
