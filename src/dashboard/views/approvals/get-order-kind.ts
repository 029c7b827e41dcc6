/** What waits for an approval and goes ahead by itself. Null if an agent uses the approval. */
export function getOrderKind({
  commandUuid,
  missionUuid,
}: {
  commandUuid: string | null;
  missionUuid: string | null;
}): "command" | "mission" | null {
  if (commandUuid !== null) return "command";
  return missionUuid === null ? null : "mission";
}
