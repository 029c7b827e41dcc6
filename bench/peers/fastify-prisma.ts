import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import fastify from "fastify";
import { PrismaClient } from "../../src/db/generated/client.ts";
import { send } from "./send.ts";

/** The lists as written by hand with Fastify and Prisma. */
const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 }),
});
const app = fastify({ logger: { level: "info" } });
const newestFirst = [{ createdAt: "desc" as const }, { id: "desc" as const }];

app.get("/api/v1/messages", async (request, reply) => {
  const workspaceId = await findWorkspaceId(request.headers.authorization);
  if (workspaceId === null) return reply.code(401).send();
  const messages = await prisma.message.findMany({
    where: { workspaceId },
    orderBy: newestFirst,
    take: 50,
    omit: { workspaceId: true },
  });
  return send(reply, { messages, count: messages.length });
});

app.get("/api/v1/tasks", async (request, reply) => {
  const workspaceId = await findWorkspaceId(request.headers.authorization);
  if (workspaceId === null) return reply.code(401).send();
  const [tasks, total] = await Promise.all([
    prisma.task.findMany({
      where: { workspaceId },
      orderBy: newestFirst,
      take: 50,
      omit: { workspaceId: true, leaseTokenDigest: true, leaseExpiresAt: true, inputDeadlineAt: true },
    }),
    prisma.task.count({ where: { workspaceId } }),
  ]);
  return send(reply, { tasks, count: tasks.length, pagination: { limit: 50, offset: 0, total } });
});

/** Looks up the credential on each request, as a hand-written server does. */
async function findWorkspaceId(authorization: string | undefined): Promise<string | null> {
  const digest = createHash("sha256")
    .update((authorization ?? "").slice("Bearer ".length))
    .digest();
  const key = await prisma.apiKey.findUnique({
    where: { digest: new Uint8Array(digest), revokedAt: null, workspace: { suspendedAt: null } },
    select: { workspaceId: true, scopes: true, expiresAt: true },
  });
  return key?.scopes.includes("tasks:read") === true ? key.workspaceId : null;
}

process.on("SIGTERM", () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
