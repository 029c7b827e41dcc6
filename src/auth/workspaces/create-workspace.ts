import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { insertAgent } from "../../domain/agents/insert-agent.ts";
import { type Transaction, openCtx, systemCaller } from "../../domain/kernel/context.ts";
import type { Services } from "../../domain/kernel/services.ts";
import { FIRST_AUDIT_HASH, append } from "../../domain/kernel/events.ts";
import { parseInput, nameInEmails } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { SCOPES } from "../../domain/kernel/scopes.ts";
import { insertPolicy } from "../../domain/policies/create-policy.ts";
import { policyRule } from "../../domain/policies/policy-rule.ts";
import { STARTER_POLICIES } from "../../domain/policies/starter-policies.ts";
import { insertApiKey } from "../api-keys/insert-api-key.ts";
import { insertScimToken } from "../scim-tokens/rotate-scim-token.ts";

const shape = z.object({
  name: nameInEmails(LIMITS.nameLength),
  policies: z.array(policyRule).default(() => STARTER_POLICIES.map((policy) => policyRule.parse(policy))),
});

/** A new workspace and its two secrets, returned only here. */
export type NewWorkspace = { workspaceId: string; apiKey: string; scimToken: string };

/**
 * Creates a workspace with a primary API key, which has all scopes, a SCIM token, and policies: by default
 * {@link STARTER_POLICIES}.
 *
 * @throws {DomainError} validation_failed if the name is empty or too long, or for a policy.
 */
export async function createWorkspace(
  services: Services,
  input: z.input<typeof shape>,
  by = "command line",
): Promise<NewWorkspace> {
  const { name, policies } = parseInput(shape, input);
  const ctx = openCtx(services, systemCaller(uuidv7(), by));
  return ctx.transaction(async (tx) => {
    await insertWorkspace(tx, name);
    const { agent, appended } = await insertAgent(tx, {
      handle: "primary",
      name: "Primary agent",
      kind: "software",
    });
    const key = { agentId: agent.id, name: "Primary key", scopes: [...SCOPES], primary: true };
    const { apiKey, secret } = await insertApiKey(tx, { ...key, expiresAt: null });
    const scim = await insertScimToken(tx, null);
    const { workspaceId } = ctx;
    const subject = { subjectType: "workspace", subjectId: workspaceId };
    append(tx, {
      events: [
        { type: "workspace.created", ...subject, data: { generation: 1 } },
        ...appended.events,
        { type: "api_key.created", subjectType: "api_key", subjectId: apiKey.id, agentId: agent.id },
        { type: "scim_token.created", subjectType: "scim_token", subjectId: scim.scimToken.id },
      ],
      totals: appended.totals,
      audit: [
        { action: "workspace.created", targetType: "workspace", targetId: workspaceId, changes: { name } },
        { action: "api_key.created", targetType: "api_key", targetId: apiKey.id, changes: { primary: true } },
        { action: "scim_token.created", targetType: "scim_token", targetId: scim.scimToken.id },
      ],
    });
    for (const policy of policies) await insertPolicy(tx, policy);
    return { workspaceId, apiKey: secret, scimToken: scim.secret };
  });
}

async function insertWorkspace({ db, ctx }: Transaction, name: string): Promise<void> {
  const { workspaceId } = ctx;
  await db.workspace.create({ data: { id: workspaceId, slug: createSlug(name, workspaceId), name } });
  await db.workspaceHead.create({
    data: { workspaceId, epoch: crypto.randomUUID(), auditHash: FIRST_AUDIT_HASH },
  });
}

/** Builds a URL-safe name, made unique by the end of the workspace's id. */
function createSlug(name: string, workspaceId: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|(?<!-)-+$/g, "")
    .slice(0, 40);
  return [...(words === "" ? [] : [words]), workspaceId.slice(-8)].join("-");
}
