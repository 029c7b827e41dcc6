-- CreateTable
CREATE TABLE "mission_template" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "kind" "mission_kind" NOT NULL,
    "steps" JSONB NOT NULL,
    "selector" JSONB,
    "min_battery_percent" DOUBLE PRECISION,
    "priority" SMALLINT NOT NULL,
    "estimated_duration_seconds" INTEGER,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "mission_template_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mission_template_workspace_id_name_key" ON "mission_template"("workspace_id", "name");

-- AddForeignKey
ALTER TABLE "mission_template" ADD CONSTRAINT "mission_template_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
