import { NOW, sql } from "../../db/sql.ts";
import { isDeepStrictEqual } from "node:util";
import type { Ctx, Transaction, Urgency } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import type { ChangeTarget } from "./change-directory-user.ts";
import { coerceResource } from "./coerce.ts";
import { requireAffordableMembers } from "./filter-price.ts";
import {
  type MemberChanges,
  memberIds,
  patchMembers,
  replaceMembers,
  toAuditMembers,
} from "./group-members.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { type PatchOperation, requireFewConditions } from "./patch-operation.ts";
import { patchAttributes } from "./patch-attributes.ts";
import { lockResource, rereadResource } from "./read-resource.ts";
import { refreshRoles } from "./refresh-roles.ts";
import { requireValid } from "./require-valid.ts";
import type { Attributes, Resource } from "./resource.ts";

/** The answer to a change leaves the members out if there are more than this. */
const MEMBERS_SHOWN = 1000;

/**
 * Replaces a group's attributes and members.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; validation_failed.
 * @see RFC 7644, 3.5.1.
 */
export async function replaceDirectoryGroup(
  ctx: Ctx,
  target: ChangeTarget,
  attributes: unknown,
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const { members, ...after } = coerceResource("Group", attributes);
  requireValid("Group", after, false);
  const ids = memberIds(members);
  return change(ctx, target, {
    urgency: "usual",
    compute: async (tx) => ({ after, moved: [await replaceMembers(tx, target.id, ids)] }),
  });
}

/**
 * Patches a group's attributes and members; applies all operations or none. The group is locked, so that
 * members added concurrently are not lost.
 *
 * @throws {DomainError} the errors of {@link replaceDirectoryGroup} and of a patch.
 * @see RFC 7644, 3.5.2.
 */
export async function patchDirectoryGroup(
  ctx: Ctx,
  target: ChangeTarget,
  operations: readonly PatchOperation[],
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  requireFewConditions(operations);
  requireAffordableMembers(operations);
  return change(ctx, target, {
    urgency: operations.every(({ op }) => op === "remove") ? "urgent" : "usual",
    compute: async (tx, before) => {
      let after = before;
      const moved: MemberChanges[] = [];
      for (const operation of operations) {
        if (operation.path[0] === "members") moved.push(await patchMembers(tx, target.id, operation));
        else after = patchAttributes("Group", after, [operation]);
      }
      requireValid("Group", after, true);
      return { after, moved };
    },
  });
}

type Changed = { after: Attributes; moved: MemberChanges[] };

type GroupChange = {
  compute: (tx: Transaction, before: Attributes) => Promise<Changed>;
  /** Usual for what adds members, even if it removes others: it may be a whole directory. */
  urgency: Urgency;
};

async function change(
  ctx: Ctx,
  { id, ...condition }: ChangeTarget,
  { compute, urgency }: GroupChange,
): Promise<Resource> {
  return ctx.transaction(async (tx) => {
    const locked = await lockResource(tx, { type: "Group", id, members: "none" }, condition);
    const { after, moved } = await compute(tx, locked.attributes);
    await noteProvisioning(tx);
    const appended = await save(tx, locked, { after, members: mergeMemberChanges(moved) });
    const group = await rereadResource(tx, { type: "Group", id, members: { atMost: MEMBERS_SHOWN } });
    if (appended !== null) append(tx, appended);
    return group;
  }, urgency);
}

type Saved = { after: Attributes; members: MemberChanges };

/** @returns null if nothing has changed and no unknown member was named. */
async function save(
  tx: Transaction,
  group: Resource,
  { after, members }: Saved,
): Promise<AppendContent | null> {
  const { id, role } = group;
  const isSame = isDeepStrictEqual(group.attributes, after);
  const moved = [...members.added, ...members.removed];
  const target = { targetType: "group", targetId: id };
  const changes = { ...(!isSame && { display_name: after["displayName"] }), ...toAuditMembers(members) };
  const audit: AppendContent = { events: [], audit: [{ action: "group.updated", ...target, changes }] };
  if (isSame && moved.length === 0) return members.unknown.length === 0 ? null : audit;
  const generation = await saveGroup(tx, id, after);
  const data = { generation, added: members.added.length, removed: members.removed.length };
  const batch: AppendContent = {
    events: [{ type: "group.updated", subjectType: "group", subjectId: id, data }],
    totals: [{ collection: "groups", from: null, to: null }],
  };
  return role === null
    ? mergeAppends(batch, audit)
    : mergeAppends(batch, audit, await refreshRoles(tx, moved));
}

/** Merges successive changes. The last one determines who was added and removed. */
function mergeMemberChanges(changes: MemberChanges[]): MemberChanges {
  const added = new Set<string>();
  const removed = new Set<string>();
  for (const each of changes) {
    for (const id of each.removed) if (!added.delete(id)) removed.add(id);
    for (const id of each.added) if (!removed.delete(id)) added.add(id);
  }
  return { added: [...added], removed: [...removed], unknown: changes.flatMap(({ unknown }) => unknown) };
}

async function saveGroup({ run, ctx }: Transaction, id: string, after: Attributes): Promise<number> {
  const [saved] = await run(UPDATE, [ctx.workspaceId, id, after["displayName"], after["externalId"] ?? null]);
  if (saved === undefined) throw new Error("a locked group row does not exist");
  return saved.generation;
}

const UPDATE = sql<{ generation: number }>`
UPDATE "group" SET display_name = $3, external_id = $4, generation = generation + 1,
  updated_at = ${NOW}
WHERE workspace_id = $1::uuid AND id = $2::uuid RETURNING generation`;
