import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { coerceResource } from "./coerce.ts";
import type { NewResource } from "./create-directory-user.ts";
import { memberIds, replaceMembers, toAuditMembers } from "./group-members.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { rereadResource } from "./read-resource.ts";
import { requireValid } from "./require-valid.ts";
import type { Resource } from "./resource.ts";

/**
 * Creates a group. It grants nothing until an admin maps it to a role.
 *
 * @throws {DomainError} forbidden; validation_failed; id_conflict.
 * @see RFC 7644, 3.3.
 */
export async function createDirectoryGroup(ctx: Ctx, input: NewResource): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const attributes = coerceResource("Group", input.attributes);
  requireValid("Group", attributes, false);
  const { displayName, externalId = null, members } = attributes;
  const id = input.id ?? uuidv7();
  return ctx.transaction(async (tx) => {
    const made = await tx.run(INSERT, [ctx.workspaceId, id, displayName, externalId]);
    if (made.length === 0)
      throw new DomainError("id_conflict", "A group with this id already exists.", { field: "id" });
    const moved = await replaceMembers(tx, id, memberIds(members));
    await noteProvisioning(tx);
    const group = await rereadResource(tx, { type: "Group", id, members: "all" });
    const changes = { display_name: displayName, ...toAuditMembers(moved) };
    append(tx, {
      events: [
        {
          type: "group.created",
          subjectType: "group",
          subjectId: id,
          data: { generation: 1, added: moved.added.length },
        },
      ],
      totals: [{ collection: "groups", to: null }],
      audit: [{ action: "group.created", targetType: "group", targetId: id, changes }],
    });
    return group;
  });
}

const INSERT = sql`
INSERT INTO "group" (workspace_id, id, display_name, external_id, created_at, updated_at)
  SELECT $1::uuid, $2::uuid, $3, $4, at, at FROM (SELECT ${NOW} AS at) t
  ON CONFLICT DO NOTHING RETURNING id`;
