/** Converts 32 hexadecimal digits to a UUID. */
export function toTraceUuid(id: string): string {
  return id.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
