-- AlterTable
ALTER TABLE "workspace_head" ADD COLUMN     "agent_quota" INTEGER,
ADD COLUMN     "event_quota" INTEGER,
ADD COLUMN     "event_second" TIMESTAMPTZ(0),
ADD COLUMN     "events_of_second" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "storage_at" TIMESTAMPTZ(3),
ADD COLUMN     "storage_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "storage_quota" BIGINT,
ADD COLUMN     "task_day" DATE,
ADD COLUMN     "task_quota" INTEGER,
ADD COLUMN     "tasks_of_day" INTEGER NOT NULL DEFAULT 0;
