import { openShortcuts } from "./shortcuts.ts";

/** Shows the keys of a view. Absent on touch screens. */
export function KeysButton() {
  return (
    <button type="button" className="button button-small keys-button" onClick={openShortcuts}>
      Keys <kbd>?</kbd>
    </button>
  );
}
