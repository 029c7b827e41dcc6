-- CreateEnum
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'denied', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "approval_scope" AS ENUM ('exact', 'tool');

-- CreateEnum
CREATE TYPE "approval_verdict" AS ENUM ('approve', 'deny');

-- CreateEnum
CREATE TYPE "execution_status" AS ENUM ('started', 'completed', 'failed', 'unknown', 'unreported', 'retried');

-- CreateEnum
CREATE TYPE "execution_effect" AS ENUM ('none', 'partial', 'unknown');

-- AlterEnum
ALTER TYPE "decision_reason" ADD VALUE 'approval_granted';
ALTER TYPE "decision_reason" ADD VALUE 'approval_expired';
ALTER TYPE "decision_reason" ADD VALUE 'out_of_scope';

-- AlterTable
ALTER TABLE "decision" ADD COLUMN     "approval_id" UUID,
ADD COLUMN     "execution_id" UUID;

-- CreateTable
CREATE TABLE "approval" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "subject" JSONB,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "hidden_values" INTEGER NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "edited_arguments" JSONB,
    "edited_hash" BYTEA,
    "asked_by" JSONB NOT NULL,
    "role" "role" NOT NULL,
    "persons" INTEGER NOT NULL,
    "uses" INTEGER NOT NULL,
    "used_count" INTEGER NOT NULL DEFAULT 0,
    "scope" "approval_scope" NOT NULL,
    "can_edit" BOOLEAN NOT NULL,
    "valid_seconds" INTEGER NOT NULL,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "approved_until" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" JSONB,
    "revoked_reason" TEXT,
    "task_id" UUID,
    "trace_id" TEXT,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "approval_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "approval_review" (
    "workspace_id" UUID NOT NULL,
    "approval_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "by" JSONB NOT NULL,
    "verdict" "approval_verdict" NOT NULL,
    "comment" TEXT,
    "request_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "approval_review_pkey" PRIMARY KEY ("workspace_id","approval_id","user_id")
);

-- CreateTable
CREATE TABLE "execution" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "approval_id" UUID,
    "use_number" INTEGER,
    "decision_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "fence" BIGINT NOT NULL,
    "status" "execution_status" NOT NULL DEFAULT 'started',
    "lease_seconds" INTEGER NOT NULL,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "result" JSONB,
    "error" JSONB,
    "effect" "execution_effect",
    "ended_at" TIMESTAMPTZ(3),
    "resolved_by" JSONB,
    "resolved_reason" TEXT,
    "retry_of" UUID,
    "task_id" UUID,
    "trace_id" TEXT,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "execution_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "approval_workspace_id_created_at_id_idx" ON "approval"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "approval_workspace_id_status_created_at_id_idx" ON "approval"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "approval_workspace_id_agent_id_request_hash_created_at_idx" ON "approval"("workspace_id", "agent_id", "request_hash", "created_at" DESC);

-- CreateIndex
CREATE INDEX "execution_workspace_id_created_at_id_idx" ON "execution"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "execution_workspace_id_status_created_at_id_idx" ON "execution"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "execution_workspace_id_agent_id_created_at_id_idx" ON "execution"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "execution_workspace_id_approval_id_use_number_key" ON "execution"("workspace_id", "approval_id", "use_number");

-- CreateIndex
CREATE UNIQUE INDEX "execution_workspace_id_retry_of_key" ON "execution"("workspace_id", "retry_of");

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval_review" ADD CONSTRAINT "approval_review_workspace_id_approval_id_fkey" FOREIGN KEY ("workspace_id", "approval_id") REFERENCES "approval"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "execution" ADD CONSTRAINT "execution_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "execution" ADD CONSTRAINT "execution_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "execution" ADD CONSTRAINT "execution_workspace_id_approval_id_fkey" FOREIGN KEY ("workspace_id", "approval_id") REFERENCES "approval"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

-- An agent asks for the same thing once at a time.
CREATE UNIQUE INDEX "approval_pending_idx" ON "approval" ("workspace_id", "agent_id", "request_hash")
  WHERE "status" = 'pending';

CREATE INDEX "approval_expires_at_idx" ON "approval" ("expires_at") WHERE "status" = 'pending';

CREATE INDEX "execution_lease_expires_at_idx" ON "execution" ("lease_expires_at") WHERE "status" = 'started';

CREATE SEQUENCE "execution_fence";
