-- CreateEnum
CREATE TYPE "usage_signal" AS ENUM ('metric', 'log', 'span', 'agent_log');

-- CreateEnum
CREATE TYPE "usage_dimension" AS ENUM ('workspace', 'agent', 'task', 'model', 'agent_model');

-- CreateEnum
CREATE TYPE "usage_period" AS ENUM ('hour', 'day', 'month', 'all');

-- AlterTable
ALTER TABLE "span" ADD COLUMN     "within_sent_sum" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "within_sum" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "cache_read_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
ADD COLUMN     "input_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "models" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "output_tokens" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "unpriced_calls" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "usage_trace" (
    "workspace_id" UUID NOT NULL,
    "trace_id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "session_key" TEXT NOT NULL,
    "task_id" UUID,
    "has_call" BOOLEAN NOT NULL,
    "has_sent_call" BOOLEAN NOT NULL,
    "has_sent_sum" BOOLEAN NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "usage_trace_pkey" PRIMARY KEY ("workspace_id","trace_id","sender_id")
);

-- CreateTable
CREATE TABLE "usage_session" (
    "workspace_id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "session_key" TEXT NOT NULL,
    "signal" "usage_signal" NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "usage_session_pkey" PRIMARY KEY ("workspace_id","sender_id","session_key")
);

-- CreateTable
CREATE TABLE "usage_call" (
    "workspace_id" UUID NOT NULL,
    "trace_id" UUID NOT NULL,
    "call_key" TEXT NOT NULL,
    "signal" "usage_signal" NOT NULL,
    "sender_id" UUID NOT NULL,
    "session_key" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "task_id" UUID,
    "reservation_id" UUID,
    "parent_key" TEXT,
    "op" "span_op" NOT NULL,
    "role" "usage_role" NOT NULL,
    "model" TEXT,
    "input_tokens" BIGINT,
    "cache_read_tokens" BIGINT,
    "cache_write_tokens" BIGINT,
    "output_tokens" BIGINT,
    "cost_usd" DECIMAL(24,12),
    "cost_source" "cost_source" NOT NULL,
    "is_twin" BOOLEAN NOT NULL,
    "within_sum" BOOLEAN NOT NULL,
    "within_sent_sum" BOOLEAN NOT NULL,
    "counts_tokens" BOOLEAN NOT NULL,
    "counts_cost" BOOLEAN NOT NULL,
    "charged" BOOLEAN NOT NULL,
    "charged_hour" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_call_pkey" PRIMARY KEY ("workspace_id","trace_id","call_key","signal")
);

-- CreateTable
CREATE TABLE "usage_bucket" (
    "workspace_id" UUID NOT NULL,
    "dimension" "usage_dimension" NOT NULL,
    "period" "usage_period" NOT NULL,
    "key" TEXT NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "slot" SMALLINT NOT NULL,
    "calls" BIGINT NOT NULL,
    "input_tokens" DECIMAL(30,0) NOT NULL,
    "cache_read_tokens" DECIMAL(30,0) NOT NULL,
    "cache_write_tokens" DECIMAL(30,0) NOT NULL,
    "output_tokens" DECIMAL(30,0) NOT NULL,
    "cost_usd" DECIMAL(36,12) NOT NULL,
    "unpriced_calls" BIGINT NOT NULL,

    CONSTRAINT "usage_bucket_pkey" PRIMARY KEY ("workspace_id","dimension","period","key","start","slot")
);

-- CreateIndex
CREATE INDEX "usage_trace_workspace_id_last_day_idx" ON "usage_trace"("workspace_id", "last_day");

-- CreateIndex
CREATE INDEX "usage_session_workspace_id_last_day_idx" ON "usage_session"("workspace_id", "last_day");

-- CreateIndex
CREATE INDEX "usage_call_workspace_id_sender_id_session_key_idx" ON "usage_call"("workspace_id", "sender_id", "session_key");

-- CreateIndex
CREATE INDEX "usage_call_workspace_id_charged_hour_idx" ON "usage_call"("workspace_id", "charged_hour");

-- CreateIndex
CREATE INDEX "usage_bucket_workspace_id_dimension_period_start_idx" ON "usage_bucket"("workspace_id", "dimension", "period", "start");

-- By hand from here: what Prisma's schema language can't say.

-- Room for the new versions of a row.
ALTER TABLE "usage_bucket" SET (fillfactor = 50);
ALTER TABLE "usage_session" SET (fillfactor = 70);

CREATE INDEX "usage_call_parent_idx" ON "usage_call" ("workspace_id", "trace_id", "parent_key") WHERE "parent_key" IS NOT NULL;

CREATE INDEX "span_parent_idx" ON "span" ("workspace_id", "day", "trace_id", "parent_span_id") WHERE "parent_span_id" IS NOT NULL;
