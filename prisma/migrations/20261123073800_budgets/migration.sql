-- CreateEnum
CREATE TYPE "budget_scope" AS ENUM ('workspace', 'each_agent', 'agent', 'each_label', 'label');

-- CreateEnum
CREATE TYPE "budget_unit" AS ENUM ('usd', 'tokens', 'calls');

-- CreateEnum
CREATE TYPE "budget_period" AS ENUM ('minute', 'hour', 'day', 'month', 'total');

-- CreateEnum
CREATE TYPE "budget_expiry" AS ENUM ('charge', 'release');

-- CreateEnum
CREATE TYPE "reservation_status" AS ENUM ('held', 'settled', 'released', 'expired');

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "budget_generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "budget_retention_days" INTEGER NOT NULL DEFAULT 90;

-- CreateTable
CREATE TABLE "budget" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "scope" "budget_scope" NOT NULL,
    "scope_agent_id" UUID,
    "scope_label" TEXT,
    "scope_value" TEXT,
    "unit" "budget_unit" NOT NULL,
    "limit_amount" BIGINT NOT NULL,
    "period" "budget_period" NOT NULL,
    "time_zone" TEXT NOT NULL,
    "thresholds" JSONB NOT NULL,
    "default_estimate" BIGINT,
    "on_expiry" "budget_expiry" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "budget_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "budget_window" (
    "workspace_id" UUID NOT NULL,
    "budget_id" UUID NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "subject" TEXT NOT NULL,
    "window_end" TIMESTAMPTZ(3),
    "limit_amount" BIGINT NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "fired_percent" INTEGER NOT NULL DEFAULT 0,
    "pause_due" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "budget_window_pkey" PRIMARY KEY ("workspace_id","budget_id","window_start","subject")
);

-- CreateTable
CREATE TABLE "reservation" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "lines" JSONB NOT NULL,
    "status" "reservation_status" NOT NULL DEFAULT 'held',
    "assumed" BOOLEAN NOT NULL DEFAULT false,
    "amounts" JSONB,
    "decision_id" UUID,
    "execution_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "reservation_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "budget_workspace_id_created_at_id_idx" ON "budget"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "budget_workspace_id_scope_agent_id_idx" ON "budget"("workspace_id", "scope_agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "budget_workspace_id_name_key" ON "budget"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "budget_window_workspace_id_window_end_idx" ON "budget_window"("workspace_id", "window_end");

-- CreateIndex
CREATE INDEX "reservation_workspace_id_created_at_id_idx" ON "reservation"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservation_workspace_id_agent_id_created_at_id_idx" ON "reservation"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservation_workspace_id_ended_at_idx" ON "reservation"("workspace_id", "ended_at");

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget" ADD CONSTRAINT "budget_workspace_id_scope_agent_id_fkey" FOREIGN KEY ("workspace_id", "scope_agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_window" ADD CONSTRAINT "budget_window_workspace_id_budget_id_fkey" FOREIGN KEY ("workspace_id", "budget_id") REFERENCES "budget"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reservation" ADD CONSTRAINT "reservation_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reservation" ADD CONSTRAINT "reservation_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

-- Sums are updated in place: room on each page keeps those updates out of the indexes.
ALTER TABLE "budget_window" SET (fillfactor = 50);

ALTER TABLE "budget_window" ADD CONSTRAINT "budget_window_sums_check" CHECK ("used" >= 0 AND "reserved" >= 0);

CREATE INDEX "budget_window_pause_due_idx" ON "budget_window" ("workspace_id") WHERE "pause_due";

CREATE INDEX "reservation_expires_at_idx" ON "reservation" ("expires_at") WHERE "status" = 'held';

CREATE INDEX "reservation_assumed_idx" ON "reservation" ("workspace_id", "created_at" DESC, "id" DESC) WHERE "assumed";

-- Uncompressed, so that its size can be read.
ALTER TABLE "reservation" ALTER COLUMN "lines" SET STORAGE EXTERNAL;
