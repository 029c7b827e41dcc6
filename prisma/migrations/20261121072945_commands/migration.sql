-- AlterTable
ALTER TABLE "agent_command" ADD COLUMN     "next_deadline_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_agent_id_created_at_id_idx" ON "agent_command"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_batch_id_created_at_id_idx" ON "agent_command"("workspace_id", "batch_id", "created_at" DESC, "id" DESC);

-- By hand from here: what Prisma's schema language can't say.

-- What an agent has not acknowledged, in its order: delivery takes the head of it, whatever the number of others.
CREATE INDEX "agent_command_open_idx" ON "agent_command" ("workspace_id", "agent_id", "priority", "seq")
  WHERE "status" IN ('queued', 'delivered');

CREATE INDEX "agent_command_deadline_idx" ON "agent_command" ("next_deadline_at") WHERE "next_deadline_at" IS NOT NULL;

UPDATE "agent_command" SET "next_deadline_at" = CASE "status"
  WHEN 'queued' THEN "expires_at"
  WHEN 'delivered' THEN LEAST("expires_at", COALESCE("delivered_at", "updated_at") + make_interval(secs => "ack_timeout_seconds"))
  ELSE COALESCE("acknowledged_at", "updated_at") + make_interval(secs => "run_timeout_seconds")
END
WHERE "status" IN ('queued', 'delivered', 'acknowledged', 'running');
