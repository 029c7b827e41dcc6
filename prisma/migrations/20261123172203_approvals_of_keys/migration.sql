ALTER TABLE "approval" ADD COLUMN "lineage_id" UUID;

-- By hand from here: what Prisma's schema language can't say.

DROP INDEX "approval_pending_idx";
CREATE UNIQUE INDEX "approval_pending_idx" ON "approval" ("workspace_id", "agent_id", "request_hash", "lineage_id")
  WHERE "status" = 'pending' AND "command_id" IS NULL;
