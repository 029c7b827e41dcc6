import type { PasswordHasher } from "../auth/passwords.ts";
import { openCtx, systemCaller } from "../domain/kernel/context.ts";
import type { Services } from "../domain/kernel/services.ts";
import type { DemoCredentials } from "./demo-file.ts";

/** Whether the demo operator's initial address and password are still valid. */
export async function isPasswordKept(
  services: Services & { passwords: PasswordHasher },
  { workspaceId, email, password }: DemoCredentials,
): Promise<boolean> {
  const ctx = openCtx(services, systemCaller(workspaceId, "demo"));
  const operator = await ctx.db.user.findFirst({ where: { email }, select: { hashedPassword: true } });
  const hash = operator?.hashedPassword ?? null;
  return hash !== null && services.passwords.verify(hash, password);
}
