-- CreateEnum
CREATE TYPE "letter_kind" AS ENUM ('password_changed', 'new_device', 'email_change', 'email_changed', 'invitation');

-- AlterTable
ALTER TABLE "user" ADD COLUMN     "last_seen_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "revokes_keys_of_suspended_creator" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "reset_request" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "served_user_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reset_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_outbox" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "letter_kind" NOT NULL,
    "sent_to" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "auth_epoch" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_outbox_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "throttle" (
    "key" BYTEA NOT NULL,
    "hits" TIMESTAMPTZ(3)[],
    "touched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "reset_request_next_attempt_at_idx" ON "reset_request"("next_attempt_at");

-- CreateIndex
CREATE INDEX "mail_outbox_workspace_id_user_id_idx" ON "mail_outbox"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "mail_outbox_next_attempt_at_idx" ON "mail_outbox"("next_attempt_at");

-- CreateIndex
CREATE INDEX "throttle_touched_at_idx" ON "throttle"("touched_at");

-- CreateIndex
CREATE INDEX "audit_event_workspace_id_action_seq_idx" ON "audit_event"("workspace_id", "action", "seq" DESC);

-- CreateIndex
CREATE INDEX "audit_event_workspace_id_target_id_seq_idx" ON "audit_event"("workspace_id", "target_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "user_workspace_id_created_at_id_idx" ON "user"("workspace_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma can't say

CREATE INDEX "audit_event_workspace_id_actor_id_seq_idx" ON "audit_event" ("workspace_id", ("actor" ->> 'id'), "seq" DESC);
ALTER TABLE "throttle" ADD CONSTRAINT "throttle_key_check" CHECK (octet_length("key") = 32);
ALTER TABLE "users_tokens" ADD CONSTRAINT "users_tokens_session_check"
  CHECK ("context" <> 'session' OR ("family_id" IS NOT NULL AND "authenticated_at" IS NOT NULL));

-- Members are counted as every other collection is.
INSERT INTO "collection_total" ("workspace_id", "collection", "facet", "total", "version")
SELECT h."workspace_id", 'users', 'all',
  (SELECT count(*) FROM "user" u WHERE u."workspace_id" = h."workspace_id" AND u."deleted_at" IS NULL), h."seq"
FROM "workspace_head" h;
