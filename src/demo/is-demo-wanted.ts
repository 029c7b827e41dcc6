import type { Services } from "../domain/kernel/context.ts";
import { findDemo } from "./demo-file.ts";

/** Whether there is a demo to fill: the database is without any workspace, or a demo in it is not complete. */
export async function isDemoWanted(services: Services, dataDir: string): Promise<boolean> {
  const demo = await findDemo(services, dataDir);
  if (demo !== null) return !demo.filled;
  const workspace = await services.database.prisma.workspace.findFirst({ select: { id: true } });
  return workspace === null;
}
