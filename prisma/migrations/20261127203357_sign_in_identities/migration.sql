-- AlterTable
ALTER TABLE "users_tokens" ADD COLUMN     "provider_id" UUID;

-- CreateTable
CREATE TABLE "user_identity" (
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "user_identity_pkey" PRIMARY KEY ("provider_id","subject")
);

-- CreateTable
CREATE TABLE "sign_in_attempt" (
    "digest" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "family_id" UUID,
    "return_to" TEXT NOT NULL,
    "remembered" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "user_identity_workspace_id_user_id_idx" ON "user_identity"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_identity_provider_id_user_id_key" ON "user_identity"("provider_id", "user_id");

-- CreateIndex
CREATE INDEX "sign_in_attempt_provider_id_idx" ON "sign_in_attempt"("provider_id");

-- CreateIndex
CREATE INDEX "sign_in_attempt_expires_at_idx" ON "sign_in_attempt"("expires_at");

-- AddForeignKey
ALTER TABLE "user_identity" ADD CONSTRAINT "user_identity_workspace_id_provider_id_fkey" FOREIGN KEY ("workspace_id", "provider_id") REFERENCES "sign_in_provider"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_identity" ADD CONSTRAINT "user_identity_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_attempt" ADD CONSTRAINT "sign_in_attempt_workspace_id_provider_id_fkey" FOREIGN KEY ("workspace_id", "provider_id") REFERENCES "sign_in_provider"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
