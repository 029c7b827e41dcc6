import type { Command } from "commander";
import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../auth/api-keys/revoke-api-key.ts";
import { idOf, openWorkspace } from "./open-workspace.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

/** Adds `key create` and `key revoke`. */
export function addKeyCommands(program: Command, run: Run): void {
  const key = program.command("key").description("create and revoke API keys");
  key
    .command("create")
    .description("create an API key that holds some scopes")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--scopes <scopes>", "such as tasks:read,tasks:work", listOf)
    .option("--name <name>", "what the key is for", "Key of the command line")
    .option("--agent <handle>", "the agent that it acts as; a new one where it is left out")
    .action(run(create));
  key
    .command("revoke")
    .description("end an API key and every token that it minted")
    .requiredOption("--workspace <id>", "the workspace's id")
    .requiredOption("--key <id>", "the key's id")
    .action(run(revoke));
}

type CreateOptions = { workspace: string; scopes: string[]; name: string; agent?: string };

async function create(
  { services }: Operation,
  { workspace, scopes, name, agent }: CreateOptions,
): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const { apiKey, secret } = await createApiKey(ctx, { name, scopes, agentHandle: agent ?? null });
  return {
    json: { key_id: apiKey.id, api_key: secret },
    lines: [
      `Created an API key with ${apiKey.scopes.join(", ")}.`,
      `  Key id   ${apiKey.id}`,
      `  API key  ${secret}`,
    ],
    shownOnce: true,
  };
}

async function revoke(
  { services }: Operation,
  { workspace, key }: { workspace: string; key: string },
): Promise<Answer> {
  const keyId = idOf("key", key);
  const ctx = await openWorkspace(services, workspace);
  await revokeApiKey(ctx, keyId);
  return { json: { key_id: keyId }, lines: [`The API key ${keyId} is revoked, with all of its tokens.`] };
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
