import { isDeepStrictEqual } from "node:util";
import type { Agent } from "../../db/generated/client.ts";
import { archiveInTransaction } from "../agents/archive-agent.ts";
import { changeAgent } from "../agents/change-agent.ts";
import { restoreInTransaction } from "../agents/restore-agent.ts";
import { revokeAgentKeys } from "../agents/revoke-agent-keys.ts";
import type { Ctx, Transaction, Urgency } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { holdStops } from "../stops/is-stopped.ts";
import { type AgentAttributes, readAgentAttributes } from "./agent-attributes.ts";
import { type ChangeTarget, isSuspension } from "./change-directory-user.ts";
import { coerceResource } from "./coerce.ts";
import { requireDirectoryWriter } from "./guard.ts";
import { noteProvisioning } from "./note-provisioning.ts";
import { type PatchOperation, requireFewConditions } from "./patch-operation.ts";
import { patchAttributes } from "./patch-attributes.ts";
import { lockResource, rereadResource } from "./read-resource.ts";
import { requireValid } from "./require-valid.ts";
import type { Attributes, Resource } from "./resource.ts";

/**
 * Replaces an agent's attributes. Those that are left out are removed, except `active` and `agentType`, which do not
 * change.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; validation_failed; immutable_attribute;
 *   invalid_state for the deactivation of the agent with the primary key; emergency_stop for a restoration.
 * @see RFC 7644, 3.5.1.
 */
export async function replaceDirectoryAgent(
  ctx: Ctx,
  target: ChangeTarget,
  attributes: unknown,
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  const given = coerceResource("Agent", attributes);
  return change(ctx, target, {
    urgency: given["active"] === false ? "urgent" : "usual",
    compute: ({ active, agentType }) => {
      const after = { active, agentType, ...given };
      requireValid("Agent", after, false);
      return after;
    },
  });
}

/**
 * Patches an agent's attributes; applies all operations or none.
 *
 * @throws {DomainError} the errors of {@link replaceDirectoryAgent} and of a patch.
 * @see RFC 7644, 3.5.2.
 */
export async function patchDirectoryAgent(
  ctx: Ctx,
  target: ChangeTarget,
  operations: readonly PatchOperation[],
): Promise<Resource> {
  requireDirectoryWriter(ctx);
  requireFewConditions(operations);
  return change(ctx, target, {
    urgency: operations.some(isSuspension) ? "urgent" : "usual",
    compute: (before) => {
      const after = patchAttributes("Agent", before, operations);
      requireValid("Agent", after, true);
      return after;
    },
  });
}

/**
 * Deletes an agent: archives it, ends its credentials, and forgets its attributes here. Its history is kept, and its
 * handle stays in use.
 *
 * @throws {DomainError} forbidden; not_found; precondition_failed; invalid_state for the agent with the primary key.
 * @see RFC 7644, 3.6.
 */
export async function deleteDirectoryAgent(ctx: Ctx, { id, ...condition }: ChangeTarget): Promise<void> {
  requireDirectoryWriter(ctx);
  await ctx.transaction(async (tx) => {
    await noteProvisioning(tx);
    await lockResource(tx, { type: "Agent", id, members: "none" }, condition);
    const before = await readAgent(tx, id);
    const archived =
      before.archivedAt === null ? await deactivate(tx, before) : { agent: before, appended: { events: [] } };
    const { appended } = await changeAgent(tx, archived.agent, {
      data: { deletedAt: await tx.now(), externalId: null },
      event: "agent.deleted",
      eventData: {},
      audit: { action: "agent.deleted", changes: { handle: before.handle } },
    });
    append(tx, mergeAppends(archived.appended, appended));
  }, "urgent");
}

type Change = { compute: (before: Attributes) => Attributes; urgency: Urgency };

/** If nothing changes, the version and the time of the last change stay the same. */
async function change(
  ctx: Ctx,
  { id, ...condition }: ChangeTarget,
  { compute, urgency }: Change,
): Promise<Resource> {
  const key = { type: "Agent", id, members: "none" } as const;
  return ctx.transaction(async (tx) => {
    await noteProvisioning(tx);
    await holdStops(tx);
    const resource = await lockResource(tx, key, condition);
    const before = readAgentAttributes(resource.attributes);
    const after = readAgentAttributes(compute(resource.attributes));
    requireSame(before, after);
    if (isDeepStrictEqual(before, after)) return resource;
    const appended = await save(tx, await readAgent(tx, id), after);
    const changed = await rereadResource(tx, key);
    append(tx, appended);
    return changed;
  }, urgency);
}

/** @throws {DomainError} immutable_attribute. */
function requireSame(before: AgentAttributes, after: AgentAttributes): void {
  const name = before.handle !== after.handle ? "agentUserName" : "agentType";
  if (before.handle === after.handle && before.kind === after.kind) return;
  throw new DomainError("immutable_attribute", `${name} can't be changed.`, { field: name });
}

async function readAgent({ db, ctx }: Transaction, id: string): Promise<Agent> {
  return db.agent.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

async function save(tx: Transaction, before: Agent, after: AgentAttributes): Promise<AppendContent> {
  const { name, description, externalId } = after;
  const data = { name, description, externalId };
  const names = (["name", "description", "externalId"] as const).filter((one) => before[one] !== data[one]);
  const attributes = names.map((one) => (one === "name" ? "displayName" : one));
  let agent = before;
  const parts: AppendContent[] = [];
  if (names.length > 0) {
    const changed = await changeAgent(tx, agent, {
      data,
      event: "agent.updated",
      eventData: { name, description },
      audit: { action: "agent.updated", changes: { attributes } },
    });
    agent = changed.agent;
    parts.push(changed.appended);
  }
  const isActive = before.archivedAt === null;
  if (isActive && !after.isActive) parts.push((await deactivate(tx, agent)).appended);
  if (!isActive && after.isActive) parts.push((await restoreInTransaction(tx, agent)).appended);
  return mergeAppends(...parts);
}

async function deactivate(tx: Transaction, agent: Agent): Promise<{ agent: Agent; appended: AppendContent }> {
  const keys = await revokeAgentKeys(tx, agent.id);
  const archived = await archiveInTransaction(tx, agent);
  return { agent: archived.agent, appended: mergeAppends(keys, archived.appended) };
}
