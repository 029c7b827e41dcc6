-- AlterEnum
ALTER TYPE "letter_kind" ADD VALUE 'second_factor' BEFORE 'new_device';

-- AlterTable
ALTER TABLE "user" ADD COLUMN     "second_factor_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users_tokens" ADD COLUMN     "mfa_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "totp_factor" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "last_step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "totp_factor_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("workspace_id","user_id","digest")
);

-- CreateTable
CREATE TABLE "pending_log_in" (
    "digest" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "auth_epoch" INTEGER NOT NULL,
    "remembered" BOOLEAN NOT NULL,
    "return_to" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_log_in_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "totp_factor_workspace_id_user_id_key" ON "totp_factor"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "pending_log_in_workspace_id_user_id_created_at_idx" ON "pending_log_in"("workspace_id", "user_id", "created_at");

-- CreateIndex
CREATE INDEX "pending_log_in_expires_at_idx" ON "pending_log_in"("expires_at");

-- AddForeignKey
ALTER TABLE "totp_factor" ADD CONSTRAINT "totp_factor_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_log_in" ADD CONSTRAINT "pending_log_in_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Checks
ALTER TABLE "totp_factor" ADD CONSTRAINT "totp_factor_last_step_check" CHECK (last_step >= 0);
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_digest_check" CHECK (octet_length(digest) = 32);
ALTER TABLE "pending_log_in" ADD CONSTRAINT "pending_log_in_digest_check" CHECK (octet_length(digest) = 32);
ALTER TABLE "pending_log_in" ADD CONSTRAINT "pending_log_in_tries_check" CHECK (tries >= 0);
