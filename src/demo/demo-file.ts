import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Services } from "../domain/kernel/services.ts";

/** The demo's credentials, and whether it is complete. */
export type DemoCredentials = {
  workspaceId: string;
  apiKey: string;
  scimToken: string;
  email: string;
  password: string;
  filled: boolean;
};

const shape = z.object({
  workspace_id: z.uuid(),
  api_key: z.string(),
  scim_token: z.string(),
  email: z.string(),
  password: z.string(),
  filled: z.boolean(),
});

/** Returns the file of the demo's credentials. */
export function demoFilePath(dataDir: string): string {
  return path.join(dataDir, "demo.json");
}

/**
 * Reads the demo in the data folder. Returns null if there is none, or its workspace is not in the
 * database.
 */
export async function findDemo({ database }: Services, dataDir: string): Promise<DemoCredentials | null> {
  const kept = await readDemoFile(dataDir);
  if (kept === null) return null;
  const where = { id: kept.workspaceId };
  const workspace = await database.prisma.workspace.findUnique({ where, select: { id: true } });
  return workspace === null ? null : kept;
}

/** Writes the credentials, readable only by their owner. The file is replaced atomically. */
export async function writeDemoFile(dataDir: string, credentials: DemoCredentials): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = demoFilePath(dataDir);
  const draft = `${file}.${crypto.randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(demoJson(credentials), null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** Converts the credentials to their JSON in the file and on the command line. */
export function demoJson(credentials: DemoCredentials): z.output<typeof shape> {
  const { workspaceId, apiKey, scimToken, email, password, filled } = credentials;
  return { workspace_id: workspaceId, api_key: apiKey, scim_token: scimToken, email, password, filled };
}

async function readDemoFile(dataDir: string): Promise<DemoCredentials | null> {
  const parsed = shape.safeParse(parseJson(await readText(demoFilePath(dataDir))));
  if (!parsed.success) return null;
  const { workspace_id, api_key, scim_token, ...rest } = parsed.data;
  return { workspaceId: workspace_id, apiKey: api_key, scimToken: scim_token, ...rest };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
