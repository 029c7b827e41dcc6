-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "agent_command_retention_days" INTEGER NOT NULL DEFAULT 90,
ADD COLUMN     "eval_run_retention_days" INTEGER NOT NULL DEFAULT 365,
ADD COLUMN     "message_retention_days" INTEGER NOT NULL DEFAULT 90,
ADD COLUMN     "task_retention_days" INTEGER NOT NULL DEFAULT 90;

-- AddForeignKey
ALTER TABLE "mission" ADD CONSTRAINT "mission_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- By hand from here: what Prisma's schema language can't say.

-- Which rows name a row that is to be deleted.
CREATE INDEX "mission_task_idx" ON "mission" ("workspace_id", "task_id") WHERE "task_id" IS NOT NULL;
CREATE INDEX "mission_start_command_idx" ON "mission" ("workspace_id", "start_command_id")
  WHERE "start_command_id" IS NOT NULL;
CREATE INDEX "task_question_idx" ON "task" ("workspace_id", "question_id") WHERE "question_id" IS NOT NULL;
