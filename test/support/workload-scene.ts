import { createWorkloadTrust } from "../../src/auth/workloads/create-workload-trust.ts";
import type { WorkloadTrust } from "../../src/db/generated/client.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { createTestClient, type TestAnswer } from "./test-client.ts";
import { AUDIENCE } from "./test-issuer.ts";

type Trusted = Parameters<typeof createWorkloadTrust>[1];

/** Trusts an issuer for the workspace's first agent, `tasks:read` and `tasks:write`. */
export async function trust(ctx: Ctx, fields: Partial<Trusted> & { issuer: string }): Promise<WorkloadTrust> {
  const agent = await ctx.db.agent.findFirstOrThrow({ orderBy: { createdAt: "asc" } });
  return createWorkloadTrust(ctx, {
    ...{ name: "CI", agentHandle: agent.handle, audience: AUDIENCE, scopes: ["tasks:read", "tasks:write"] },
    claimPatterns: [{ claim: "sub", pattern: "repo:acme/shop:*" }],
    ...fields,
  });
}

/** POST /oauth/token with these parameters. */
export async function postToken(
  url: string,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return createTestClient(url).send("/oauth/token", {
    method: "POST",
    body: new URLSearchParams(parameters).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

/** Exchanges tokens at a server (RFC 8693). */
export function exchangeAt(url: string) {
  return async (trustId: string, token: string, others: Record<string, string> = {}): Promise<TestAnswer> =>
    postToken(url, {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      ...{ subject_token: token, client_id: trustId, ...others },
    });
}

/** A row of everything of workload identity. @returns the trust's id. */
export async function insertTrust(ctx: Ctx, name: string): Promise<string> {
  const { id } = await trust(ctx, { name, issuer: "https://issuer.example" });
  const used = { workspaceId: ctx.workspaceId, trustId: id, digest: Buffer.from(name) };
  await ctx.db.usedAssertion.create({ data: { ...used, expiresAt: new Date(Date.now() + 3_600_000) } });
  return id;
}
