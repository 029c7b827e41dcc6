import { createStore } from "../../data/store.ts";

export const isPaletteOpen = createStore(false);

export function openPalette(): void {
  isPaletteOpen.set(true);
}

export function closePalette(): void {
  isPaletteOpen.set(false);
}
