-- AlterEnum
ALTER TYPE "letter_kind" ADD VALUE 'break_glass_used' BEFORE 'password_changed';

-- AlterTable
ALTER TABLE "sign_in_provider" ADD COLUMN     "break_glass_user_id" UUID,
ADD COLUMN     "enforced" BOOLEAN NOT NULL DEFAULT false;

-- AddForeignKey
ALTER TABLE "sign_in_provider" ADD CONSTRAINT "sign_in_provider_workspace_id_break_glass_user_id_fkey" FOREIGN KEY ("workspace_id", "break_glass_user_id") REFERENCES "user"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

ALTER TABLE "sign_in_provider" ADD CONSTRAINT "sign_in_provider_break_glass" CHECK (NOT "enforced" OR "break_glass_user_id" IS NOT NULL);
