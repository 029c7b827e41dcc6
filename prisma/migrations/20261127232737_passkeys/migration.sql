-- CreateTable
CREATE TABLE "passkey" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "passkey_challenge" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE INDEX "passkey_workspace_id_user_id_idx" ON "passkey"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Checks
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_counter_check" CHECK (counter >= 0);
ALTER TABLE "passkey_challenge" ADD CONSTRAINT "passkey_challenge_digest_check" CHECK (octet_length(digest) = 32);
