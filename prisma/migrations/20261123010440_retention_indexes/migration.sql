-- DropIndex
DROP INDEX "agent_token_expires_at_idx";

-- CreateIndex
CREATE INDEX "mail_outbox_created_at_idx" ON "mail_outbox"("created_at");

-- CreateIndex
CREATE INDEX "reset_request_created_at_idx" ON "reset_request"("created_at");

-- By hand from here: what Prisma's schema language can't say.

CREATE INDEX "agent_token_ended_idx" ON "agent_token" (LEAST("expires_at", "revoked_at"));
-- In an order without ties, so that retention can go on after a row.
DROP INDEX "task_finished_idx";
CREATE INDEX "task_finished_idx" ON "task" ("workspace_id", "finished_at", "id")
  INCLUDE ("status", "queue", "claimed_by_agent_id", "started_at") WHERE "finished_at" IS NOT NULL;
DROP INDEX "agent_command_finished_idx";
CREATE INDEX "agent_command_finished_idx" ON "agent_command" ("workspace_id", "finished_at", "id")
  INCLUDE ("status", "type") WHERE "finished_at" IS NOT NULL;
DROP INDEX "mission_finished_idx";
CREATE INDEX "mission_finished_idx" ON "mission" ("workspace_id", "finished_at", "id") WHERE "finished_at" IS NOT NULL;
DROP INDEX "eval_run_finished_idx";
CREATE INDEX "eval_run_finished_idx" ON "eval_run" ("workspace_id", "finished_at", "id") WHERE "finished_at" IS NOT NULL;
-- Which unfinished rows refer to a row, found without reading the finished ones.
CREATE INDEX "task_open_parent_idx" ON "task" ("workspace_id", "parent_task_id")
  WHERE "parent_task_id" IS NOT NULL AND "finished_at" IS NULL;
CREATE INDEX "task_open_mission_idx" ON "task" ("workspace_id", "mission_id")
  WHERE "mission_id" IS NOT NULL AND "finished_at" IS NULL;
CREATE INDEX "agent_command_open_task_idx" ON "agent_command" ("workspace_id", "task_id")
  WHERE "task_id" IS NOT NULL AND "finished_at" IS NULL;
CREATE INDEX "agent_command_open_mission_idx" ON "agent_command" ("workspace_id", "mission_id")
  WHERE "mission_id" IS NOT NULL AND "finished_at" IS NULL;
CREATE INDEX "mission_open_task_idx" ON "mission" ("workspace_id", "task_id")
  WHERE "task_id" IS NOT NULL AND "finished_at" IS NULL;
