-- CreateEnum
CREATE TYPE "usage_role" AS ENUM ('none', 'aggregate', 'leaf');

-- CreateEnum
CREATE TYPE "cost_source" AS ENUM ('sent', 'price', 'none');

-- AlterTable
ALTER TABLE "span" ADD COLUMN     "cache_read_tokens" BIGINT,
ADD COLUMN     "cache_write1h_tokens" BIGINT,
ADD COLUMN     "cache_write_tokens" BIGINT,
ADD COLUMN     "cost_source" "cost_source",
ADD COLUMN     "cost_usd" DECIMAL(24,12),
ADD COLUMN     "input_tokens" BIGINT,
ADD COLUMN     "output_tokens" BIGINT,
ADD COLUMN     "price_id" TEXT,
ADD COLUMN     "reasoning_tokens" BIGINT,
ADD COLUMN     "usage_role" "usage_role" NOT NULL DEFAULT 'none';

-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "mission_id" UUID,
ADD COLUMN     "task_id" UUID;

-- CreateIndex
CREATE INDEX "trace_workspace_id_task_id_created_at_id_idx" ON "trace"("workspace_id", "task_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "trace_workspace_id_mission_id_created_at_id_idx" ON "trace"("workspace_id", "mission_id", "created_at" DESC, "id" DESC);
