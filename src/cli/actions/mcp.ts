import { refreshMcpTools } from "../../auth/upstream/refresh-mcp-tools.ts";
import { setMcpCredential } from "../../auth/upstream/set-mcp-credential.ts";
import type { McpServer, McpTool } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createFieldError, createNotFoundError } from "../../domain/kernel/errors.ts";
import { createMcpServer } from "../../domain/mcp/create-mcp-server.ts";
import { listMcpServers } from "../../domain/mcp/list-mcp-servers.ts";
import { listMcpTools } from "../../domain/mcp/list-mcp-tools.ts";
import { reviewMcpTools } from "../../domain/mcp/review-mcp-tools.ts";
import { listAll } from "../list-all.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readPassword } from "../read-password.ts";
import type { CommandContext } from "../run-command.ts";
import { tableLines } from "../table-lines.ts";
import type { CommandAnswer } from "../terminal.ts";

type Listed = { createdAt: Date | string };

type Server = Listed & Pick<McpServer, "id" | "slug" | "url" | "health" | "lastError">;
type Tool = Listed & Pick<McpTool, "id" | "serverId" | "name" | "status" | "hash" | "definition">;

type AddOptions = {
  workspace: string;
  slug: string;
  url: string;
  name?: string;
  secret?: string;
  secretHeader?: string;
};

/** Registers a server and reads its tools. */
export async function runMcpAdd(
  { services, terminal, signal }: CommandContext,
  { workspace, slug, url, name = slug, secret, secretHeader: header }: AddOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const text = secret === undefined ? null : await readPassword(secret, terminal.stdin, signal);
  const { id } = await createMcpServer(ctx, { slug, name, url });
  if (text !== null) await setMcpCredential(ctx, { serverId: id, secret: text, header: header ?? null });
  return answerServer(ctx, await refreshMcpTools(ctx, { id }));
}

/** Lists the servers with their tools. */
export async function runMcpList(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const servers = await listAll<Server>((page) => listMcpServers(ctx, page));
  const tools = await listAll<Tool>((page) => listMcpTools(ctx, page));
  return {
    json: { servers: servers.map((server) => toJson(server, tools.filter(isOf(server)))) },
    lines: tableLines(
      ["Server", "URL", "Health", "Tools", "To review"],
      servers.map((server) => {
        const own = tools.filter(isOf(server));
        return [server.slug, server.url, server.health, `${own.length}`, `${own.filter(isOpen).length}`];
      }),
    ),
  };
}

type ReviewOptions = { workspace: string; server: string; approve: string[]; block: string[] };

/** Reads a server's tools again, and reviews those with the given hashes. */
export async function runMcpReview(
  { services }: CommandContext,
  { workspace, server: slug, approve, block }: ReviewOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const { id } = await findServer(ctx, slug);
  const server = await refreshMcpTools(ctx, { id });
  await review(ctx, id, { hashes: approve, verdict: "approve" });
  await review(ctx, id, { hashes: block, verdict: "block" });
  return answerServer(ctx, server);
}

async function findServer(ctx: Ctx, slug: string): Promise<Server> {
  const servers = await listAll<Server>((page) => listMcpServers(ctx, page));
  const server = servers.find((one) => one.slug === slug);
  if (server === undefined) throw createNotFoundError("MCP server");
  return server;
}

type Verdict = { hashes: readonly string[]; verdict: "approve" | "block" };

/** @throws {DomainError} validation_failed for a hash that no tool has: it has changed. */
async function review(ctx: Ctx, serverId: string, { hashes, verdict }: Verdict): Promise<void> {
  if (hashes.length === 0) return;
  const tools = (await listTools(ctx, serverId)).map(({ id, hash }) => ({ id, hash: toHex(hash) }));
  const unknown = hashes.find((hash) => !tools.some((tool) => tool.hash === hash));
  if (unknown !== undefined) throw createFieldError(verdict, `no tool has the hash ${unknown} now`);
  const chosen = tools.filter(({ hash }) => hashes.includes(hash));
  await reviewMcpTools(ctx, { serverId, verdict, tools: chosen });
}

async function listTools(ctx: Ctx, serverId: string): Promise<Tool[]> {
  return listAll<Tool>((page) => listMcpTools(ctx, page, { serverId }));
}

async function answerServer(ctx: Ctx, server: Server): Promise<CommandAnswer> {
  const tools = await listTools(ctx, server.id);
  const { slug, health, lastError } = server;
  const problem = lastError === null ? "" : `: ${lastError}`;
  return {
    json: toJson(server, tools),
    lines: [
      `The MCP server ${slug} is ${health}${problem}`,
      ...tools.flatMap(({ status, hash, definition }) => [
        `${status} ${toHex(hash)}`,
        `  ${toVisible(definition)}`,
      ]),
    ],
  };
}

/** JSON in which every character can be seen: others are written as \\u and four digits. */
function toVisible(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function toJson({ id, slug, url, health, lastError }: Server, tools: readonly Tool[]) {
  return {
    server_id: id,
    slug,
    url,
    health,
    last_error: lastError,
    tools: tools.map(({ name, status, hash, definition }) => ({
      name,
      status,
      hash: toHex(hash),
      definition,
    })),
  };
}

function isOf({ id }: Server): (tool: Tool) => boolean {
  return ({ serverId }) => serverId === id;
}

function isOpen({ status }: Tool): boolean {
  return status === "pending" || status === "changed";
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
