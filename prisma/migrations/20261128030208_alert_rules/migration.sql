-- CreateEnum
CREATE TYPE "alert_metric" AS ENUM ('task_failure_rate', 'queue_depth', 'queue_age', 'questions_waiting', 'question_age', 'approvals_waiting', 'approval_age', 'cost_usd', 'command_ack_p95', 'agents_offline', 'robots_offline');

-- CreateEnum
CREATE TYPE "alert_state" AS ENUM ('ok', 'firing', 'resolved', 'no_data');

-- CreateTable
CREATE TABLE "alert_rule" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "metric" "alert_metric" NOT NULL,
    "agent_id" UUID,
    "label" TEXT,
    "label_value" TEXT,
    "queue" TEXT,
    "window_seconds" INTEGER,
    "threshold" DOUBLE PRECISION NOT NULL,
    "for_seconds" INTEGER NOT NULL,
    "cooldown_seconds" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "state" "alert_state" NOT NULL DEFAULT 'ok',
    "state_since" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "value" DOUBLE PRECISION,
    "evaluated_at" TIMESTAMPTZ(3),
    "above_since" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "alert_rule_workspace_id_created_at_id_idx" ON "alert_rule"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alert_rule_workspace_id_agent_id_idx" ON "alert_rule"("workspace_id", "agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_workspace_id_name_key" ON "alert_rule"("workspace_id", "name");

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "alert_rule"
  ADD CONSTRAINT "alert_rule_label_check" CHECK (("label" IS NULL) = ("label_value" IS NULL));

-- What is due next, of all workspaces.
CREATE INDEX "alert_rule_due_idx" ON "alert_rule" ("due_at") WHERE "enabled";
