-- AlterTable
ALTER TABLE "users_tokens" ADD COLUMN     "provider_sid" TEXT,
ADD COLUMN     "sealed_id_token" BYTEA;

-- CreateTable
CREATE TABLE "used_logout_token" (
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_logout_token_pkey" PRIMARY KEY ("workspace_id","provider_id","digest")
);

-- CreateIndex
CREATE INDEX "used_logout_token_expires_at_idx" ON "used_logout_token"("expires_at");

-- CreateIndex
CREATE INDEX "sign_in_provider_issuer_idx" ON "sign_in_provider" USING HASH ("issuer");

-- AddForeignKey
ALTER TABLE "used_logout_token" ADD CONSTRAINT "used_logout_token_workspace_id_provider_id_fkey" FOREIGN KEY ("workspace_id", "provider_id") REFERENCES "sign_in_provider"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

CREATE INDEX "users_tokens_provider" ON "users_tokens"("provider_id", "provider_sid") WHERE "provider_id" IS NOT NULL;
