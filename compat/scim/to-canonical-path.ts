/** The names of paths as they are written here; clients may write them in any case. */
const NAMES = new Map(
  ["Users", "Groups", "ServiceProviderConfig", "ResourceTypes", "Schemas", "Bulk", "Me", ".search"].map(
    (name) => [name.toLowerCase(), name],
  ),
);

const BASE = "/scim/v2";

/** A path below /scim/v2 in its own spelling and without a slash at its end; any other path as it is. */
export function toCanonicalPath(path: string): string {
  const beginning = path.slice(0, BASE.length + 1).toLowerCase();
  if (beginning !== BASE && beginning !== `${BASE}/`) return path;
  const segments = path.slice(BASE.length).split("/").filter(Boolean);
  return [BASE, ...segments.map((segment) => NAMES.get(segment.toLowerCase()) ?? segment)].join("/");
}
