/** No node: the parent of a root, the child of a leaf. */
export const NONE = -1;

/** The number in a place; {@link NONE} outside of the list. */
export function at(numbers: ArrayLike<number>, place: number): number {
  return numbers[place] ?? NONE;
}
