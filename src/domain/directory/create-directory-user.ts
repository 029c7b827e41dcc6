import { NOW, sql } from "../../db/sql.ts";
import { v7 as uuidv7 } from "uuid";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { getLoginAddress, findFreeAddress } from "./address.ts";
import { coerceResource } from "./coerce.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { rereadResource } from "./read-resource.ts";
import { requireValid } from "./require-valid.ts";
import type { Resource } from "./resource.ts";
import { saveEmails, toStoredUser, writeUniqueUser } from "./save-user.ts";

/** A resource to create. `id` is optional, for other resources to refer to it. */
export type NewResource = { id?: string | null | undefined; attributes: unknown };

/**
 * Creates a member with the role viewer. No email is sent and there is no password: provisioned users set
 * one by "forgot password".
 *
 * @throws {DomainError} forbidden; validation_failed; already_exists.
 * @see RFC 7644, 3.3.
 */
export async function createDirectoryUser(ctx: Ctx, input: NewResource): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const attributes = coerceResource("User", input.attributes);
  requireValid("User", attributes, false);
  const { active, emails, profile, ...columns } = toStoredUser(attributes);
  const id = input.id ?? uuidv7();
  return writeUniqueUser(() =>
    ctx.transaction(async (tx) => {
      const email = await findFreeAddress(tx, id, getLoginAddress(attributes));
      await tx.run(INSERT, [
        ctx.workspaceId,
        id,
        email,
        columns.userName,
        columns.externalId,
        columns.name,
        JSON.stringify(profile),
        active,
      ]);
      await saveEmails(tx, id, emails);
      await noteProvisioning(tx);
      const made = await rereadResource(tx, { type: "User", id, members: "none" });
      const target = { targetType: "user", targetId: id };
      const data = { generation: 1, role: "viewer", active };
      append(tx, {
        events: [{ type: "user.created", subjectType: "user", subjectId: id, data }],
        totals: [{ collection: "users", to: null }],
        audit: [
          {
            action: "user.created",
            ...target,
            changes: { user_name: columns.userName, role: "viewer", active },
          },
        ],
      });
      return made;
    }),
  );
}

const INSERT = sql`
INSERT INTO "user" (workspace_id, id, email, user_name, external_id, name, profile, role, suspended_at, created_at, updated_at)
  SELECT $1::uuid, $2::uuid, $3, $4, $5, $6, $7::jsonb, 'viewer', CASE WHEN $8 THEN NULL ELSE at END, at, at
  FROM (SELECT ${NOW} AS at) t`;
