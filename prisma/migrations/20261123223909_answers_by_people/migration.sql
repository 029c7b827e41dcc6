-- CreateEnum
CREATE TYPE "answer_by" AS ENUM ('anyone', 'person');

-- AlterTable
ALTER TABLE "message" ADD COLUMN     "answer_by" "answer_by" NOT NULL DEFAULT 'anyone';

-- The open questions of a sender.
CREATE INDEX "message_waiting_sender_idx" ON "message" ("workspace_id", ("sender" ->> 'id')) WHERE "waiting";
