-- AlterTable
ALTER TABLE "reservation" ADD COLUMN     "delegate_id" UUID;

-- AddForeignKey
ALTER TABLE "reservation" ADD CONSTRAINT "reservation_workspace_id_delegate_id_fkey" FOREIGN KEY ("workspace_id", "delegate_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
