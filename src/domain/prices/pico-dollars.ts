const DIGITS = 12;

/** Writes pico-dollars as dollars with 12 decimal places, as PostgreSQL reads and writes them. */
export function formatPico(pico: bigint): string {
  const digits = `${pico < 0n ? -pico : pico}`.padStart(DIGITS + 1, "0");
  return `${pico < 0n ? "-" : ""}${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
}

/** Reads dollars as {@link formatPico} writes them. */
export function parsePico(dollars: string): bigint {
  return BigInt(dollars.replace(".", ""));
}
