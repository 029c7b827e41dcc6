-- AlterTable
ALTER TABLE "mcp_server" ADD COLUMN     "tools_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
ALTER TABLE "mcp_server" ALTER COLUMN "tools_due_at" DROP DEFAULT;

-- CreateIndex
CREATE INDEX "mcp_server_tools_due_at_idx" ON "mcp_server"("tools_due_at");
