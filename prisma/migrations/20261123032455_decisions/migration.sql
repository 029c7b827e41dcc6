-- CreateEnum
CREATE TYPE "decision_outcome" AS ENUM ('allow', 'deny', 'ask');

-- CreateEnum
CREATE TYPE "decision_reason" AS ENUM ('policy_allow', 'default_allow', 'approval_required', 'policy_deny', 'policy_error', 'default_deny', 'arguments_missing', 'request_unusable', 'agent_paused', 'agent_stopped', 'emergency_stop');

-- CreateTable
CREATE TABLE "decision" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "subject" JSONB,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "outcome" "decision_outcome" NOT NULL,
    "reason" "decision_reason" NOT NULL,
    "matched" JSONB NOT NULL,
    "would" "decision_outcome",
    "request" JSONB,
    "request_hash" BYTEA NOT NULL,
    "task_id" UUID,
    "trace_id" TEXT,
    "request_id" TEXT,
    "latency_us" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("workspace_id","id")
)
-- By hand: Prisma's schema language has no partitions. They are created by src/domain/decisions/decision-partitions.ts.
PARTITION BY RANGE ("id");

-- CreateIndex
CREATE INDEX "decision_workspace_id_created_at_id_idx" ON "decision"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "decision_workspace_id_agent_id_created_at_id_idx" ON "decision"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "decision_workspace_id_request_hash_idx" ON "decision"("workspace_id", "request_hash");

-- By hand from here: what Prisma's schema language can't say.

CREATE INDEX "decision_outcome_idx" ON "decision" ("workspace_id", "outcome", "created_at" DESC, "id" DESC)
  WHERE "outcome" <> 'allow';
