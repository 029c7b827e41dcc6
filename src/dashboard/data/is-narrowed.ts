/** Whether a list's filter leaves anything out: a condition that is null leaves out nothing. */
export function isNarrowed(filter: Readonly<Record<string, unknown>>): boolean {
  return Object.values(filter).some((condition) => condition !== null);
}
