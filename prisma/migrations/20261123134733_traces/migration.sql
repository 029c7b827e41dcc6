-- CreateEnum
CREATE TYPE "capture_content" AS ENUM ('full', 'redacted', 'off');

-- CreateEnum
CREATE TYPE "trace_status" AS ENUM ('unset', 'ok', 'error');

-- CreateEnum
CREATE TYPE "span_op" AS ENUM ('llm', 'agent', 'tool', 'workflow', 'retrieval', 'embedding', 'memory', 'guardrail', 'evaluator', 'other');

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "capture_content" "capture_content" NOT NULL DEFAULT 'redacted',
ADD COLUMN     "content_retention_days" INTEGER NOT NULL DEFAULT 14,
ADD COLUMN     "spans_per_day" INTEGER NOT NULL DEFAULT 5000000,
ADD COLUMN     "trace_retention_days" INTEGER NOT NULL DEFAULT 30;

-- CreateTable
CREATE TABLE "trace" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "agent_id" UUID NOT NULL,
    "conversation_id" TEXT,
    "status" "trace_status" NOT NULL DEFAULT 'unset',
    "span_count" INTEGER NOT NULL DEFAULT 0,
    "open_count" INTEGER NOT NULL DEFAULT 0,
    "error_count" INTEGER NOT NULL DEFAULT 0,
    "llm_count" INTEGER NOT NULL DEFAULT 0,
    "tool_count" INTEGER NOT NULL DEFAULT 0,
    "work_count" INTEGER NOT NULL DEFAULT 0,
    "plumbing" BOOLEAN NOT NULL DEFAULT true,
    "root_span_id" BYTEA,
    "root_parent_id" BYTEA,
    "root_name" TEXT,
    "root_status" "trace_status" NOT NULL DEFAULT 'unset',
    "root_started_at" TIMESTAMPTZ(6),
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trace_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "span" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "trace_id" UUID NOT NULL,
    "span_id" BYTEA NOT NULL,
    "parent_span_id" BYTEA,
    "name_id" UUID NOT NULL,
    "kind" SMALLINT NOT NULL,
    "op" "span_op" NOT NULL,
    "status" "trace_status" NOT NULL,
    "status_message" TEXT,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),
    "agent_id" UUID NOT NULL,
    "credential_agent_id" UUID NOT NULL,
    "scope" TEXT,
    "provider" TEXT,
    "model" TEXT,
    "tool_name" TEXT,
    "attributes" JSONB NOT NULL,
    "events" JSONB,
    "links" JSONB,
    "resource_id" UUID NOT NULL,
    "dropped" INTEGER NOT NULL,
    "redactions" INTEGER NOT NULL,

    CONSTRAINT "span_pkey" PRIMARY KEY ("workspace_id","day","trace_id","span_id")
)
-- By hand: Prisma's schema language has no partitions. They are created by src/domain/retention/day-partitions.ts.
PARTITION BY RANGE ("day");

-- CreateTable
CREATE TABLE "span_content" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "trace_id" UUID NOT NULL,
    "span_id" BYTEA NOT NULL,
    "input" JSONB,
    "output" JSONB,

    CONSTRAINT "span_content_pkey" PRIMARY KEY ("workspace_id","day","trace_id","span_id")
)
-- By hand: Prisma's schema language has no partitions. They are created by src/domain/retention/day-partitions.ts.
PARTITION BY RANGE ("day");

-- CreateTable
CREATE TABLE "span_name" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "span_name_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "span_resource" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "attributes" JSONB NOT NULL,
    "last_day" DATE NOT NULL,

    CONSTRAINT "span_resource_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "span_day" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "spans" INTEGER NOT NULL,

    CONSTRAINT "span_day_pkey" PRIMARY KEY ("workspace_id","day","slot")
);

-- CreateIndex
CREATE INDEX "trace_workspace_id_created_at_id_idx" ON "trace"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trace_workspace_id_agent_id_created_at_id_idx" ON "trace"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trace_workspace_id_conversation_id_created_at_id_idx" ON "trace"("workspace_id", "conversation_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "span_name_workspace_id_last_day_idx" ON "span_name"("workspace_id", "last_day");

-- CreateIndex
CREATE INDEX "span_resource_workspace_id_last_day_idx" ON "span_resource"("workspace_id", "last_day");

-- AddForeignKey
ALTER TABLE "trace" ADD CONSTRAINT "trace_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace" ADD CONSTRAINT "trace_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

-- Room for the new versions of a row, which every batch of spans writes.
ALTER TABLE "trace" SET (fillfactor = 70);

CREATE INDEX "trace_work_idx" ON "trace" ("workspace_id", "created_at" DESC, "id" DESC) WHERE NOT "plumbing";

CREATE INDEX "trace_error_idx" ON "trace" ("workspace_id", "created_at" DESC, "id" DESC) WHERE "status" = 'error';
