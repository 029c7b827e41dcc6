import { NOW, sql } from "../../db/sql.ts";
import { isDeepStrictEqual } from "node:util";
import type { Ctx, Transaction, Urgency } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { deactivateInTransaction } from "../users/deactivate-user.ts";
import { lockLeavingUser } from "../users/lock-user.ts";
import { setEmail } from "../users/set-email.ts";
import { getLoginAddress, findFreeAddress } from "./address.ts";
import { coerceResource } from "./coerce.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { type PatchOperation, requireFewConditions } from "./patch-operation.ts";
import { patchAttributes } from "./patch-attributes.ts";
import { lockResource, rereadResource } from "./read-resource.ts";
import { requireValid } from "./require-valid.ts";
import type { Attributes, Resource } from "./resource.ts";
import { saveEmails, toStoredUser, writeUniqueUser } from "./save-user.ts";
import type { VersionCondition } from "./version.ts";

/** The resource to change, and the condition on its version. */
export type ChangeTarget = { id: string } & VersionCondition;

/**
 * Replaces a user's attributes. Attributes that are left out are removed, except `active`, which does not
 * change.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; validation_failed; already_exists;
 *   invalid_state if the last owner would be suspended.
 * @see RFC 7644, 3.5.1.
 */
export async function replaceDirectoryUser(
  ctx: Ctx,
  target: ChangeTarget,
  attributes: unknown,
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const given = coerceResource("User", attributes);
  return change(ctx, target, {
    urgency: given["active"] === false ? "urgent" : "usual",
    compute: (before) => {
      const after = { active: before["active"], ...given };
      requireValid("User", after, false);
      return after;
    },
  });
}

/**
 * Patches a user's attributes; applies all operations or none.
 *
 * @throws {DomainError} the errors of {@link replaceDirectoryUser} and of a patch.
 * @see RFC 7644, 3.5.2.
 */
export async function patchDirectoryUser(
  ctx: Ctx,
  target: ChangeTarget,
  operations: readonly PatchOperation[],
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  requireFewConditions(operations);
  return change(ctx, target, {
    urgency: operations.some(isSuspension) ? "urgent" : "usual",
    compute: (before) => {
      const after = { active: before["active"], ...patchAttributes("User", before, operations) };
      requireValid("User", after, true);
      return after;
    },
  });
}

/** Whether an operation sets `active` to anything but true. Identity providers also send it as text. */
export function isSuspension({ path, value }: PatchOperation): boolean {
  return path.at(-1)?.toLowerCase() === "active" && value !== true;
}

type UserChange = { compute: (before: Attributes) => Attributes; urgency: Urgency };

/** If nothing changes, the version and the time of the last change stay the same. */
async function change(
  ctx: Ctx,
  { id, ...condition }: ChangeTarget,
  { compute, urgency }: UserChange,
): Promise<Resource> {
  const key = { type: "User", id, members: "none" } as const;
  return writeUniqueUser(() =>
    ctx.transaction(async (tx) => {
      const resource = await lockResource(tx, key, condition);
      const { groups: _groups, ...before } = resource.attributes;
      const after = compute(before);
      await noteProvisioning(tx);
      if (isDeepStrictEqual(before, after)) return resource;
      const appended = await save(tx, resource, { before, after });
      const changed = await rereadResource(tx, key);
      append(tx, appended);
      return changed;
    }, urgency),
  );
}

type Change = { before: Attributes; after: Attributes };

async function save(tx: Transaction, resource: Resource, changes: Change): Promise<AppendContent> {
  const { id } = resource;
  const names = changedNames(changes);
  const isLeaving = changes.before["active"] !== false && changes.after["active"] === false;
  // Lists of users have changed, although their number has not.
  const counted: AppendContent = { events: [], totals: [{ collection: "users", from: null, to: null }] };
  if (isLeaving && names.length === 1) return mergeAppends(counted, await leave(tx, id));
  const generation = await saveColumns(tx, resource, changes);
  const type = names.includes("active") && !isLeaving ? "user.unsuspended" : "user.updated";
  const batch: AppendContent = {
    events: [{ type, subjectType: "user", subjectId: id, data: { generation } }],
    audit: [{ action: type, targetType: "user", targetId: id, changes: { attributes: names } }],
  };
  return isLeaving ? mergeAppends(counted, batch, await leave(tx, id)) : mergeAppends(counted, batch);
}

async function leave(tx: Transaction, id: string): Promise<AppendContent> {
  return deactivateInTransaction(tx, await lockLeavingUser(tx, id), "suspended");
}

function changedNames({ before, after }: Change): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name])).toSorted();
}

/** @returns the generation. */
async function saveColumns(
  tx: Transaction,
  { id, email, role }: Resource,
  { before, after }: Change,
): Promise<number> {
  const { run, ctx } = tx;
  const { userName, externalId, name, active, emails, profile } = toStoredUser(after);
  const address = getLoginAddress(after);
  // The person may have chosen another address since; only a change by the identity provider overrides that.
  // An owner's address is never changed: otherwise the holder of a SCIM token, such as an admin, could reset
  // the owner's password.
  let isUnproven = false;
  if (role !== "owner" && (email === null || address !== getLoginAddress(before))) {
    const free = await findFreeAddress(tx, id, address);
    if (free !== email) await setEmail(tx, id, free);
    isUnproven = free?.toLowerCase() !== email?.toLowerCase();
  }
  if (!isDeepStrictEqual(before["emails"], after["emails"])) await saveEmails(tx, id, emails);
  const [saved] = await run(UPDATE, [
    ctx.workspaceId,
    id,
    userName,
    externalId,
    name,
    JSON.stringify(profile),
    active,
    isUnproven,
  ]);
  if (saved === undefined) throw new Error("a locked user row does not exist");
  return saved.generation;
}

const UPDATE = sql<{ generation: number }>`
UPDATE "user" SET user_name = $3, external_id = $4, name = $5, profile = $6::jsonb,
  suspended_at = CASE WHEN $7 THEN NULL ELSE suspended_at END,
  confirmed_at = CASE WHEN $8 THEN NULL ELSE confirmed_at END,
  updated_at = ${NOW}, generation = generation + 1
WHERE workspace_id = $1::uuid AND id = $2::uuid RETURNING generation`;
