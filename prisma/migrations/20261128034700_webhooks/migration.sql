-- CreateEnum
CREATE TYPE "webhook_disabling" AS ENUM ('person', 'failed', 'gone');

-- CreateEnum
CREATE TYPE "webhook_delivery_status" AS ENUM ('pending', 'delivered', 'skipped');

-- AlterEnum
ALTER TYPE "letter_kind" ADD VALUE 'webhook_disabled' BEFORE 'password_changed';

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "webhook_delivery_retention_days" INTEGER NOT NULL DEFAULT 7;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "event_types" TEXT[],
    "disabled_because" "webhook_disabling",
    "disabled_at" TIMESTAMPTZ(3),
    "sealed_secret" BYTEA NOT NULL,
    "sealed_previous_secret" BYTEA,
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "cursor_seq" BIGINT NOT NULL,
    "seek" INTEGER NOT NULL DEFAULT 0,
    "is_held" BOOLEAN NOT NULL DEFAULT false,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "event_type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "status" "webhook_delivery_status" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "attempted_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "answer_status" INTEGER,
    "answer_body" TEXT,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoint_workspace_id_created_at_id_idx" ON "webhook_endpoint"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_delivery_workspace_id_endpoint_id_id_idx" ON "webhook_delivery"("workspace_id", "endpoint_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_delivery_workspace_id_endpoint_id_status_id_idx" ON "webhook_delivery"("workspace_id", "endpoint_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_delivery_workspace_id_created_at_idx" ON "webhook_delivery"("workspace_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_workspace_id_endpoint_id_event_id_key" ON "webhook_delivery"("workspace_id", "endpoint_id", "event_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_workspace_id_endpoint_id_fkey" FOREIGN KEY ("workspace_id", "endpoint_id") REFERENCES "webhook_endpoint"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Partial indexes
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("workspace_id", "endpoint_id", "next_attempt_at") WHERE next_attempt_at IS NOT NULL;
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"("workspace_id", "endpoint_id", "seq") WHERE status = 'pending';

-- Checks
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_disabled_check" CHECK ((disabled_because IS NULL) = (disabled_at IS NULL));
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_previous_check" CHECK ((sealed_previous_secret IS NULL) = (previous_secret_ends_at IS NULL));
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_next_attempt_check" CHECK (next_attempt_at IS NULL OR status = 'pending');
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_webhook_delivery_retention_days_check" CHECK (webhook_delivery_retention_days BETWEEN 1 AND 90);
