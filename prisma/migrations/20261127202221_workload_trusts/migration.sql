-- AlterEnum
ALTER TYPE "revocation_kind" ADD VALUE 'workload_trust';

-- AlterTable
ALTER TABLE "agent_token" ADD COLUMN     "trust_id" UUID,
ALTER COLUMN "api_key_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "socket_token" ADD COLUMN     "trust_id" UUID,
ALTER COLUMN "api_key_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "workload_trust" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "claim_patterns" JSONB NOT NULL,
    "jwks_uri" TEXT,
    "jwks" JSONB,
    "scopes" TEXT[],
    "lifetime_seconds" INTEGER NOT NULL,
    "reusable" BOOLEAN NOT NULL DEFAULT false,
    "created_by" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "disabled_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "workload_trust_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "used_assertion" (
    "workspace_id" UUID NOT NULL,
    "trust_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_assertion_pkey" PRIMARY KEY ("workspace_id","trust_id","digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "workload_trust_id_key" ON "workload_trust"("id");

-- CreateIndex
CREATE INDEX "workload_trust_workspace_id_created_at_id_idx" ON "workload_trust"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "workload_trust_workspace_id_agent_id_idx" ON "workload_trust"("workspace_id", "agent_id");

-- CreateIndex
CREATE INDEX "used_assertion_expires_at_idx" ON "used_assertion"("expires_at");

-- CreateIndex
CREATE INDEX "agent_token_workspace_id_trust_id_expires_at_idx" ON "agent_token"("workspace_id", "trust_id", "expires_at");

-- CreateIndex
CREATE INDEX "socket_token_workspace_id_trust_id_idx" ON "socket_token"("workspace_id", "trust_id");

-- AddForeignKey
ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_workspace_id_trust_id_fkey" FOREIGN KEY ("workspace_id", "trust_id") REFERENCES "workload_trust"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_workspace_id_trust_id_fkey" FOREIGN KEY ("workspace_id", "trust_id") REFERENCES "workload_trust"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workload_trust" ADD CONSTRAINT "workload_trust_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload_trust" ADD CONSTRAINT "workload_trust_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "used_assertion" ADD CONSTRAINT "used_assertion_workspace_id_trust_id_fkey" FOREIGN KEY ("workspace_id", "trust_id") REFERENCES "workload_trust"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_parent" CHECK (num_nonnulls("api_key_id", "trust_id") = 1);
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_parent" CHECK (num_nonnulls("api_key_id", "trust_id") = 1);

ALTER TABLE "workload_trust" ADD CONSTRAINT "workload_trust_lifetime" CHECK ("lifetime_seconds" BETWEEN 60 AND 900);
ALTER TABLE "workload_trust" ADD CONSTRAINT "workload_trust_keys" CHECK ("jwks_uri" IS NULL OR "jwks" IS NULL);
