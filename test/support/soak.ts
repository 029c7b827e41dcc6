/** A size of a test: the short one, or the long one where SOAK is set. */
export function chooseSize(short: number, long: number): number {
  return process.env["SOAK"] === "1" ? long : short;
}
