const BYTES = new Intl.NumberFormat("en", {
  style: "unit",
  unit: "byte",
  unitDisplay: "narrow",
  notation: "compact",
});

/** Writes a number of bytes: `1.2KB`. */
export function formatBytes(bytes: number): string {
  return BYTES.format(bytes);
}
