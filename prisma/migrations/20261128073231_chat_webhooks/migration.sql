-- CreateEnum
CREATE TYPE "webhook_kind" AS ENUM ('events', 'chat');

-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "kind" "webhook_kind" NOT NULL DEFAULT 'events';
