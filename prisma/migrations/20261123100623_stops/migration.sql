-- CreateTable
CREATE TABLE "stop" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "agent_kind",
    "labels" JSONB NOT NULL DEFAULT '{}',
    "reason" TEXT NOT NULL,
    "by" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "stages" JSONB NOT NULL DEFAULT '[]',
    "sent_to" UUID,
    "sent" BOOLEAN NOT NULL DEFAULT false,
    "released_at" TIMESTAMPTZ(3),
    "released_by" JSONB,
    "release_reason" TEXT,

    CONSTRAINT "stop_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "resumed_agent" (
    "workspace_id" UUID NOT NULL,
    "stop_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "sent" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "resumed_agent_pkey" PRIMARY KEY ("workspace_id","stop_id","agent_id")
);

-- CreateIndex
CREATE INDEX "resumed_agent_workspace_id_agent_id_idx" ON "resumed_agent"("workspace_id", "agent_id");

-- AddForeignKey
ALTER TABLE "stop" ADD CONSTRAINT "stop_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resumed_agent" ADD CONSTRAINT "resumed_agent_workspace_id_stop_id_fkey" FOREIGN KEY ("workspace_id", "stop_id") REFERENCES "stop"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resumed_agent" ADD CONSTRAINT "resumed_agent_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: Prisma's schema language has no partial indexes. The first is read by everything that a stop denies, the
-- others every second by the sweep.
CREATE INDEX "stop_standing_idx" ON "stop" ("workspace_id", "at", "id") WHERE "released_at" IS NULL;
CREATE INDEX "stop_unsent_idx" ON "stop" ("workspace_id", "id") WHERE NOT "sent";
CREATE INDEX "resumed_agent_unsent_idx" ON "resumed_agent" ("workspace_id", "stop_id", "agent_id") WHERE NOT "sent";

-- By hand: keeps the stops that stand. Their agents are sent the command again: some may have had none.
INSERT INTO "stop" ("workspace_id", "id", "reason", "by", "at")
SELECT "id", COALESCE("emergency_stop_id", gen_random_uuid()), COALESCE("emergency_stop_reason", ''),
  COALESCE("emergency_stop_by", '{"type": "system", "id": null, "name": "system"}'), "emergency_stop_at"
FROM "workspace" WHERE "emergency_stop_at" IS NOT NULL;

-- AlterTable
ALTER TABLE "workspace" DROP COLUMN "emergency_stop_at",
DROP COLUMN "emergency_stop_by",
DROP COLUMN "emergency_stop_id",
DROP COLUMN "emergency_stop_reason";
