-- CreateEnum
CREATE TYPE "gateway_default" AS ENUM ('allow', 'deny');

-- CreateEnum
CREATE TYPE "policy_effect" AS ENUM ('allow', 'deny', 'ask');

-- CreateEnum
CREATE TYPE "policy_mode" AS ENUM ('enforce', 'monitor');

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "gate_generation" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "gateway_default" "gateway_default" NOT NULL DEFAULT 'deny';

-- CreateTable
CREATE TABLE "policy" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "mode" "policy_mode" NOT NULL,
    "effect" "policy_effect" NOT NULL,
    "subjects" JSONB,
    "actions" TEXT[],
    "resources" JSONB,
    "when" TEXT,
    "approval" JSONB,
    "is_broad" BOOLEAN NOT NULL,
    "size" INTEGER NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "policy_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "policy_version" (
    "workspace_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "rule" JSONB NOT NULL,
    "by" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "policy_version_pkey" PRIMARY KEY ("workspace_id","policy_id","generation")
);

-- CreateIndex
CREATE INDEX "policy_workspace_id_created_at_id_idx" ON "policy"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "policy_workspace_id_name_key" ON "policy"("workspace_id", "name");

-- AddForeignKey
ALTER TABLE "policy" ADD CONSTRAINT "policy_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

CREATE INDEX "policy_broad_idx" ON "policy" ("workspace_id") WHERE "is_broad" AND "enabled";
