-- CreateEnum
CREATE TYPE "mcp_credential_kind" AS ENUM ('none', 'bearer', 'header');

-- CreateEnum
CREATE TYPE "mcp_server_health" AS ENUM ('unknown', 'ok', 'down', 'credential_refused', 'credential_unreadable');

-- CreateEnum
CREATE TYPE "mcp_tool_status" AS ENUM ('pending', 'approved', 'changed', 'blocked', 'gone');

-- CreateTable
CREATE TABLE "mcp_server" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "hold_seconds" INTEGER NOT NULL,
    "credential_kind" "mcp_credential_kind" NOT NULL DEFAULT 'none',
    "credential_header" TEXT,
    "sealed_credential" BYTEA,
    "credential_set_by" JSONB,
    "credential_set_at" TIMESTAMPTZ(3),
    "protocol_version" TEXT,
    "health" "mcp_server_health" NOT NULL DEFAULT 'unknown',
    "health_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "tools_read_at" TIMESTAMPTZ(3),
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "mcp_server_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mcp_tool" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "mcp_tool_status" NOT NULL DEFAULT 'pending',
    "definition" JSONB NOT NULL,
    "hash" BYTEA NOT NULL,
    "approved_definition" JSONB,
    "approved_hash" BYTEA,
    "reviewed_by" JSONB,
    "reviewed_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "mcp_tool_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "mcp_server_workspace_id_created_at_id_idx" ON "mcp_server"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mcp_server_workspace_id_slug_key" ON "mcp_server"("workspace_id", "slug");

-- CreateIndex
CREATE INDEX "mcp_tool_workspace_id_created_at_id_idx" ON "mcp_tool"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_tool_workspace_id_status_created_at_id_idx" ON "mcp_tool"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_tool_workspace_id_server_id_created_at_id_idx" ON "mcp_tool"("workspace_id", "server_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mcp_tool_workspace_id_server_id_name_key" ON "mcp_tool"("workspace_id", "server_id", "name");

-- AddForeignKey
ALTER TABLE "mcp_server" ADD CONSTRAINT "mcp_server_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_tool" ADD CONSTRAINT "mcp_tool_workspace_id_server_id_fkey" FOREIGN KEY ("workspace_id", "server_id") REFERENCES "mcp_server"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

ALTER TABLE "mcp_server" ADD CONSTRAINT "mcp_server_credential" CHECK (
  ("credential_kind" = 'none') = ("sealed_credential" IS NULL)
  AND ("credential_kind" = 'header') = ("credential_header" IS NOT NULL));

ALTER TABLE "mcp_tool" ADD CONSTRAINT "mcp_tool_approved" CHECK (
  ("approved_hash" IS NULL) = ("approved_definition" IS NULL)
  AND ("status" <> 'approved' OR "approved_hash" = "hash"));

-- Uncompressed, so that their size can be read.
ALTER TABLE "mcp_tool" ALTER COLUMN "definition" SET STORAGE EXTERNAL,
  ALTER COLUMN "approved_definition" SET STORAGE EXTERNAL;

-- Primary keys have all scopes.
UPDATE "api_key" SET "scopes" = "scopes" || '{mcp:read,mcp:use}'::text[] WHERE "primary" AND NOT "scopes" @> '{mcp:use}';
