import { parseGlobalId } from "../../src/schema/global-id.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";
import type { TestServer } from "./server.ts";

/** Everything that identifies a workspace with these rows: its names, secrets, and its rows' ids. */
export async function listTraces(
  server: TestServer,
  { workspaceId, word, ...rest }: PopulatedWorkspace,
  tables: Record<string, unknown[]>,
): Promise<string[]> {
  const { query } = server.database;
  const [workspace] = await query<{ slug: string }>("SELECT slug FROM workspace WHERE id = $1", [
    workspaceId,
  ]);
  const agents = await query<{ handle: string }>("SELECT handle FROM agent WHERE workspace_id = $1", [
    workspaceId,
  ]);
  const handles = agents.map(({ handle }) => handle).filter((handle) => handle !== "primary");
  const { apiKey, agentToken, socketToken, scimToken, session, ids } = rest;
  const secrets = [apiKey, agentToken, socketToken, scimToken, session];
  const rows = Object.values(tables).flatMap(
    (found) => JSON.stringify(found).match(/"id": ?"([^"]+)"/g) ?? [],
  );
  const rowIds = rows.map((found) =>
    found
      .slice(found.indexOf(":") + 1)
      .replaceAll('"', "")
      .trim(),
  );
  const named = [workspaceId, workspace?.slug ?? "", word, ...handles, ...secrets, ...Object.values(ids)];
  return [...new Set([...named, ...rowIds])];
}

/** A text with the UUIDs of its global ids added. */
export function readable(text: string): string {
  const ids = (text.match(/[A-Za-z0-9+/=]{20,}/g) ?? []).map((word) => parseGlobalId(word)?.id ?? "");
  return [text, ...ids].join(" ");
}
