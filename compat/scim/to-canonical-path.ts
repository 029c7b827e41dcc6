/** Path names as we spell them. Clients may use any case. */
const NAMES = new Map(
  ["Users", "Groups", "ServiceProviderConfig", "ResourceTypes", "Schemas", "Bulk", "Me", ".search"].map(
    (name) => [name.toLowerCase(), name],
  ),
);

const BASE = "/scim/v2";

/** Converts a path below /scim/v2 to our spelling without a trailing slash. Other paths stay unchanged. */
export function toCanonicalPath(path: string): string {
  const beginning = path.slice(0, BASE.length + 1).toLowerCase();
  if (beginning !== BASE && beginning !== `${BASE}/`) return path;
  const segments = path.slice(BASE.length).split("/").filter(Boolean);
  return [BASE, ...segments.map((segment) => NAMES.get(segment.toLowerCase()) ?? segment)].join("/");
}
