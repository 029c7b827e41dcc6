-- CreateTable
CREATE TABLE "sign_in_provider" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed_client_secret" BYTEA,
    "creates_viewers" BOOLEAN NOT NULL DEFAULT false,
    "serves_owners" BOOLEAN NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "sign_in_provider_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "sign_in_domain" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_domain_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_provider_workspace_id_key" ON "sign_in_provider"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_domain_workspace_id_domain_key" ON "sign_in_domain"("workspace_id", "domain");

-- AddForeignKey
ALTER TABLE "sign_in_provider" ADD CONSTRAINT "sign_in_provider_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_domain" ADD CONSTRAINT "sign_in_domain_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

CREATE UNIQUE INDEX "sign_in_domain_verified" ON "sign_in_domain"("domain") WHERE "verified_at" IS NOT NULL;
