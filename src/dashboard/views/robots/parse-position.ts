/** A position on a map, in metres and radians. */
export type MapPosition = { x: number; y: number; theta: number | null; mapId: string; isLocalized: boolean };

/** Where robots are that name no map. */
export const NO_MAP = "no map";

/** Parses a reported position. Null if there is none. */
export function parsePosition(reported: unknown): MapPosition | null {
  if (typeof reported !== "object" || reported === null) return null;
  const fields: Record<string, unknown> = { ...reported };
  const { x, y, theta, map_id: mapId, localized } = fields;
  if (typeof x !== "number" || typeof y !== "number") return null;
  return {
    x,
    y,
    theta: typeof theta === "number" ? theta : null,
    mapId: typeof mapId === "string" ? mapId : NO_MAP,
    isLocalized: localized !== false,
  };
}
