-- CreateEnum
CREATE TYPE "decision_log_mode" AS ENUM ('all', 'sampled');

-- CreateEnum
CREATE TYPE "decision_durability" AS ENUM ('buffered', 'strict');

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "decision_durability" "decision_durability" NOT NULL DEFAULT 'buffered',
ADD COLUMN     "decision_log" "decision_log_mode" NOT NULL DEFAULT 'sampled';

-- CreateTable
CREATE TABLE "decision_sum" (
    "workspace_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "seconds" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "outcome" "decision_outcome" NOT NULL,
    "would" "decision_outcome" NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "decision_sum_pkey" PRIMARY KEY ("workspace_id","agent_id","seconds","at","action","outcome","would")
);

-- CreateTable
CREATE TABLE "policy_sum" (
    "workspace_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "seconds" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "hits" INTEGER NOT NULL,
    "would_hits" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_sum_pkey" PRIMARY KEY ("workspace_id","policy_id","seconds","at")
);

-- CreateIndex
CREATE INDEX "decision_sum_workspace_id_seconds_at_idx" ON "decision_sum"("workspace_id", "seconds", "at");

-- CreateIndex
CREATE INDEX "policy_sum_workspace_id_seconds_at_idx" ON "policy_sum"("workspace_id", "seconds", "at");
