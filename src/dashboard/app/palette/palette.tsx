import { useEffect } from "react";
import { useStore } from "../../data/store.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Finder } from "./finder.tsx";
import { closePalette, isPaletteOpen, openPalette } from "./palette-state.ts";

/** The command palette, opened with Ctrl K or ⌘ K. */
export function Palette() {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => {
    const ends = new AbortController();
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (isPaletteOpen.get()) closePalette();
        else openPalette();
      },
      { signal: ends.signal },
    );
    return () => ends.abort();
  }, []);
  return (
    <Dialog title="Find" isOpen={isOpen} onClose={closePalette} isAtTop>
      <Finder />
    </Dialog>
  );
}
