-- AlterTable
ALTER TABLE "usage_bucket" ADD COLUMN     "metric_cache_read_tokens" DECIMAL(30,0) NOT NULL DEFAULT 0,
ADD COLUMN     "metric_cache_write_tokens" DECIMAL(30,0) NOT NULL DEFAULT 0,
ADD COLUMN     "metric_cost_usd" DECIMAL(36,12) NOT NULL DEFAULT 0,
ADD COLUMN     "metric_input_tokens" DECIMAL(30,0) NOT NULL DEFAULT 0,
ADD COLUMN     "metric_output_tokens" DECIMAL(30,0) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "metric_series" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "started_us" BIGINT NOT NULL,
    "at_us" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "kept_until" DATE NOT NULL,

    CONSTRAINT "metric_series_pkey" PRIMARY KEY ("workspace_id","id","started_us")
);

-- CreateIndex
CREATE INDEX "metric_series_workspace_id_kept_until_idx" ON "metric_series"("workspace_id", "kept_until");

-- By hand from here: what Prisma's schema language can't say.

-- Room for the new versions of a row.
ALTER TABLE "metric_series" SET (fillfactor = 70);
