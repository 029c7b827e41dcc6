import type { Services } from "../domain/kernel/services.ts";
import { findDemo } from "./demo-file.ts";

/** Whether a demo must be filled: the database has no workspace, or its demo is incomplete. */
export async function isDemoWanted(services: Services, dataDir: string): Promise<boolean> {
  const demo = await findDemo(services, dataDir);
  if (demo !== null) return !demo.filled;
  const workspace = await services.database.prisma.workspace.findFirst({ select: { id: true } });
  return workspace === null;
}
