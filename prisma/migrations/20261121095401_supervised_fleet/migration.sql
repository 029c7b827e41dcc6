-- AlterTable
ALTER TABLE "eval_run" ADD COLUMN     "error" JSONB;

-- AlterTable
ALTER TABLE "mission" ADD COLUMN     "assigned_at" TIMESTAMPTZ(3),
ADD COLUMN     "dispatch_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "idle_reports" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "requested_robot_id" UUID,
ADD COLUMN     "start_command_id" UUID;

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "question_id" UUID;

-- CreateTable
CREATE TABLE "robot_sample" (
    "workspace_id" UUID NOT NULL,
    "robot_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" "robot_status" NOT NULL,
    "battery_percent" DOUBLE PRECISION,
    "position" JSONB,

    CONSTRAINT "robot_sample_pkey" PRIMARY KEY ("workspace_id","robot_id","at")
);

-- CreateIndex
CREATE INDEX "eval_result_workspace_id_eval_run_id_status_item_key_idx" ON "eval_result"("workspace_id", "eval_run_id", "status", "item_key");

-- CreateIndex
CREATE INDEX "eval_run_workspace_id_suite_created_at_id_idx" ON "eval_run"("workspace_id", "suite", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mission_workspace_id_requested_robot_id_idx" ON "mission"("workspace_id", "requested_robot_id");

-- AddForeignKey
ALTER TABLE "robot_sample" ADD CONSTRAINT "robot_sample_workspace_id_robot_id_fkey" FOREIGN KEY ("workspace_id", "robot_id") REFERENCES "robot"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mission" ADD CONSTRAINT "mission_workspace_id_requested_robot_id_fkey" FOREIGN KEY ("workspace_id", "requested_robot_id") REFERENCES "robot"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- CreateIndex
CREATE INDEX "robot_sample_at_idx" ON "robot_sample"("at");

-- By hand from here: what Prisma's schema language can't say.

-- A question names its task and the task its question; both are written in one transaction.
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_question_id_fkey" FOREIGN KEY ("workspace_id", "question_id")
  REFERENCES "message"("workspace_id", "id") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "mission" ADD CONSTRAINT "mission_workspace_id_start_command_id_fkey" FOREIGN KEY ("workspace_id", "start_command_id")
  REFERENCES "agent_command"("workspace_id", "id") DEFERRABLE INITIALLY DEFERRED;

UPDATE "task" t SET "question_id" = (
  SELECT m."id" FROM "message" m
  WHERE m."workspace_id" = t."workspace_id" AND m."task_id" = t."id" AND m."kind" = 'question'
    AND m."sender" ->> 'id' = t."claimed_by_agent_id"::text
  ORDER BY m."created_at" DESC, m."id" DESC LIMIT 1)
WHERE t."status" = 'input_required';

-- What the sweeper looks for.
CREATE INDEX "eval_run_open_idx" ON "eval_run" ("updated_at") WHERE "status" IN ('queued', 'running');
CREATE INDEX "robot_reporting_idx" ON "robot" ("state_at") WHERE "status" <> 'offline';
CREATE INDEX "mission_open_idx" ON "mission" ("workspace_id", "priority", "created_at", "id")
  WHERE "status" IN ('pending', 'assigned', 'running', 'paused');
CREATE INDEX "mission_deadline_idx" ON "mission" ("deadline_at")
  WHERE "deadline_at" IS NOT NULL AND "status" IN ('pending', 'assigned', 'running', 'paused');
CREATE INDEX "mission_finished_idx" ON "mission" ("workspace_id", "finished_at") WHERE "finished_at" IS NOT NULL;

-- A suite has one baseline.
CREATE UNIQUE INDEX "eval_run_workspace_id_suite_baseline_key" ON "eval_run" ("workspace_id", "suite") WHERE "baseline";

ALTER TABLE "robot" SET (fillfactor = 70);
ALTER TABLE "mission" ADD CONSTRAINT "mission_progress_check" CHECK ("progress" BETWEEN 0 AND 1);
