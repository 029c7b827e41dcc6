-- CreateEnum
CREATE TYPE "task_sum_dimension" AS ENUM ('workspace', 'queue', 'agent', 'agent_queue');

-- CreateTable
CREATE TABLE "task_sum" (
    "workspace_id" UUID NOT NULL,
    "dimension" "task_sum_dimension" NOT NULL,
    "seconds" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" "task_status" NOT NULL,
    "queue" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "task_sum_pkey" PRIMARY KEY ("workspace_id","dimension","seconds","at","status","queue","agent_id")
);

-- CreateTable
CREATE TABLE "task_sum_place" (
    "workspace_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_sum_place_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "task_sum_workspace_id_seconds_at_idx" ON "task_sum"("workspace_id", "seconds", "at");
