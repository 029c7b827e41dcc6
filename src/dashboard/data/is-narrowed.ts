/** Whether any filter is set. */
export function isNarrowed(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.values(filter).some((condition) => condition !== null);
}
