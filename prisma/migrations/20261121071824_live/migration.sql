-- CreateEnum
CREATE TYPE "presence" AS ENUM ('online', 'stale', 'offline');

-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "presence" "presence" NOT NULL DEFAULT 'offline';

-- CreateIndex
CREATE INDEX "agent_presence_last_seen_at_idx" ON "agent"("presence", "last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_head_epoch_key" ON "workspace_head"("epoch");
