/** An integer of digits. One that JavaScript can't hold exactly stays text. */
export function toInteger(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : String(BigInt(digits));
}
