import { deleteSignInDomain, vouchForSignInDomain } from "../../auth/oidc/change-sign-in-domains.ts";
import { listSignInDomains } from "../../auth/oidc/list-sign-in.ts";
import { stopEnforcingSignIn } from "../../auth/oidc/stop-enforcing-sign-in.ts";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type Options = { workspace: string; domain: string };

/** Verifies a domain for a workspace without a DNS record. */
export async function runVerifyDomain(
  { services }: CommandContext,
  { workspace, domain: given }: Options,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const { id, domain, verifiedAt } = await vouchForSignInDomain(ctx, { domain: given });
  return {
    json: { domain_id: id, domain, verified_at: verifiedAt },
    lines: [`The domain ${domain} is verified for this workspace.`],
  };
}

/** Lets members log in with their passwords again, such as when nobody can sign in at the provider any more. */
export async function runStopEnforcing(
  { services }: CommandContext,
  { workspace }: Pick<Options, "workspace">,
): Promise<CommandAnswer> {
  const { issuer } = await stopEnforcingSignIn(await openWorkspace(services, workspace));
  return { json: { issuer }, lines: [`Members can log in with a password beside ${issuer}.`] };
}

/** Deletes a workspace's domain. */
export async function runDeleteDomain(
  { services }: CommandContext,
  { workspace, domain: name }: Options,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const known = (await listSignInDomains(ctx)).find(({ domain }) => domain === name);
  if (known === undefined) throw createNotFoundError("domain");
  const { id, domain } = await deleteSignInDomain(ctx, { id: known.id });
  return { json: { domain_id: id, domain }, lines: [`The domain ${domain} is deleted.`] };
}
