-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "mcp_call_retention_days" INTEGER NOT NULL DEFAULT 30;

-- CreateTable
CREATE TABLE "mcp_call" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "server_slug" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "approval_id" UUID,
    "definition_hash" BYTEA NOT NULL,
    "protocol_version" TEXT NOT NULL,
    "status" "execution_status" NOT NULL DEFAULT 'started',
    "is_error" BOOLEAN,
    "request_bytes" INTEGER NOT NULL,
    "answer_bytes" INTEGER,
    "duration_ms" INTEGER,
    "trace_id" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT date_trunc('milliseconds'::text, now()),

    CONSTRAINT "mcp_call_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_created_at_id_idx" ON "mcp_call"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_status_created_at_id_idx" ON "mcp_call"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_server_id_created_at_id_idx" ON "mcp_call"("workspace_id", "server_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_server_id_tool_created_at_id_idx" ON "mcp_call"("workspace_id", "server_id", "tool", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_agent_id_created_at_id_idx" ON "mcp_call"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mcp_call_workspace_id_ended_at_id_idx" ON "mcp_call"("workspace_id", "ended_at", "id");

-- AddForeignKey
ALTER TABLE "mcp_call" ADD CONSTRAINT "mcp_call_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "execution"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
