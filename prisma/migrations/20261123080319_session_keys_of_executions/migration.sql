-- CreateEnum
CREATE TYPE "hook_allow" AS ENUM ('allow', 'no_decision');

-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "session_key" TEXT;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "hook_allow" "hook_allow" NOT NULL DEFAULT 'allow';

-- CreateIndex
CREATE UNIQUE INDEX "execution_workspace_id_agent_id_session_key_key" ON "execution"("workspace_id", "agent_id", "session_key");
