-- CreateTable
CREATE TABLE "floor_plan" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "map_id" TEXT NOT NULL,
    "image" BYTEA NOT NULL,
    "media_type" TEXT NOT NULL,
    "image_hash" TEXT NOT NULL,
    "width" DOUBLE PRECISION NOT NULL,
    "height" DOUBLE PRECISION NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "resolution" DOUBLE PRECISION NOT NULL,
    "origin_x" DOUBLE PRECISION NOT NULL,
    "origin_y" DOUBLE PRECISION NOT NULL,
    "origin_yaw" DOUBLE PRECISION NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "floor_plan_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "floor_plan_workspace_id_map_id_key" ON "floor_plan"("workspace_id", "map_id");

-- AddForeignKey
ALTER TABLE "floor_plan" ADD CONSTRAINT "floor_plan_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
