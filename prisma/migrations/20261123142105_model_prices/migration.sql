-- CreateTable
CREATE TABLE "model_price" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "input_pico" BIGINT NOT NULL,
    "output_pico" BIGINT NOT NULL,
    "cache_read_pico" BIGINT,
    "cache_write_pico" BIGINT,
    "cache_write1h_pico" BIGINT,
    "tiers" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "model_price_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "model_price_workspace_id_created_at_id_idx" ON "model_price"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "model_price_workspace_id_provider_created_at_id_idx" ON "model_price"("workspace_id", "provider", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "model_price_workspace_id_provider_model_valid_from_key" ON "model_price"("workspace_id", "provider", "model", "valid_from");

-- AddForeignKey
ALTER TABLE "model_price" ADD CONSTRAINT "model_price_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
