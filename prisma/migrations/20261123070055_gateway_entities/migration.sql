-- CreateTable
CREATE TABLE "gateway_entity" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "properties" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "gateway_entity_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "gateway_entity_workspace_id_created_at_id_idx" ON "gateway_entity"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "gateway_entity_workspace_id_type_created_at_id_idx" ON "gateway_entity"("workspace_id", "type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "gateway_entity_workspace_id_type_entity_id_key" ON "gateway_entity"("workspace_id", "type", "entity_id");

-- AddForeignKey
ALTER TABLE "gateway_entity" ADD CONSTRAINT "gateway_entity_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: stored uncompressed, so that pages end where their rows become too many bytes.
ALTER TABLE "gateway_entity" ALTER COLUMN "properties" SET STORAGE EXTERNAL;
