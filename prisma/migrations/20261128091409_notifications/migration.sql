-- CreateEnum
CREATE TYPE "email_kind" AS ENUM ('break_glass_used', 'webhook_disabled', 'password_changed', 'second_factor', 'new_device', 'email_change', 'email_changed', 'invitation', 'alerts', 'waiting_questions', 'digest');

-- CreateEnum
CREATE TYPE "digest_frequency" AS ENUM ('never', 'daily', 'weekly');

-- CreateEnum
CREATE TYPE "notification_topic" AS ENUM ('alerts', 'waiting_questions', 'digest');

-- AlterTable
ALTER TABLE "alert_rule" ADD COLUMN     "fired_at" TIMESTAMPTZ(3),
ADD COLUMN     "resolved_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "mail_outbox" ALTER COLUMN "kind" TYPE "email_kind" USING "kind"::text::"email_kind";

-- DropEnum
DROP TYPE "letter_kind";

-- CreateTable
CREATE TABLE "notification_settings" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "alerts" BOOLEAN NOT NULL DEFAULT false,
    "question_minutes" INTEGER,
    "digest" "digest_frequency" NOT NULL DEFAULT 'never',
    "digest_hour" INTEGER NOT NULL DEFAULT 8,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "digest_due_at" TIMESTAMPTZ(3),
    "alerts_told_at" TIMESTAMPTZ(3),
    "questions_told_at" TIMESTAMPTZ(3),
    "questions_told_until" TIMESTAMPTZ(3),

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "unsubscribe_link" (
    "workspace_id" UUID NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "topic" "notification_topic" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unsubscribe_link_pkey" PRIMARY KEY ("workspace_id","token_digest")
);

-- CreateIndex
CREATE INDEX "notification_settings_digest_due_at_idx" ON "notification_settings"("digest_due_at");

-- CreateIndex
CREATE INDEX "unsubscribe_link_workspace_id_user_id_idx" ON "unsubscribe_link"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "unsubscribe_link_expires_at_idx" ON "unsubscribe_link"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "unsubscribe_link_token_digest_key" ON "unsubscribe_link"("token_digest");

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unsubscribe_link" ADD CONSTRAINT "unsubscribe_link_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "notification_settings"
  ADD CONSTRAINT "notification_settings_question_minutes_check" CHECK ("question_minutes" BETWEEN 1 AND 1440),
  ADD CONSTRAINT "notification_settings_digest_hour_check" CHECK ("digest_hour" BETWEEN 0 AND 23),
  ADD CONSTRAINT "notification_settings_digest_due_at_check" CHECK (("digest_due_at" IS NULL) = ("digest" = 'never')),
  ADD CONSTRAINT "notification_settings_questions_told_check" CHECK (("questions_told_at" IS NULL) = ("questions_told_until" IS NULL));

ALTER TABLE "unsubscribe_link" ADD CONSTRAINT "unsubscribe_link_token_digest_check" CHECK (octet_length("token_digest") = 32);

-- Who is told of alerts, and of questions.
CREATE INDEX "notification_settings_alerts_idx" ON "notification_settings" ("workspace_id", "user_id") WHERE "alerts";
CREATE INDEX "notification_settings_questions_idx" ON "notification_settings" ("workspace_id", "user_id") WHERE "question_minutes" IS NOT NULL;
-- What happens before an email about alerts is sent is told by the same one.
CREATE UNIQUE INDEX "mail_outbox_alerts_idx" ON "mail_outbox" ("workspace_id", "user_id") WHERE "kind" = 'alerts' AND "attempts" = 0;
