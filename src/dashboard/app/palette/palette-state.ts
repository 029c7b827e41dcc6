import { createStore } from "../../data/store.ts";

/** Whether the palette is open. */
export const isPaletteOpen = createStore(false);

/** Opens the palette. */
export function openPalette(): void {
  isPaletteOpen.set(true);
}

/** Closes the palette. */
export function closePalette(): void {
  isPaletteOpen.set(false);
}
