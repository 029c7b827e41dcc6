import { useStore } from "../../data/store.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useKeys } from "../../ui/use-keys.ts";
import { VIEWS } from "../views.ts";
import {
  type ShortcutGroup,
  areShortcutsOpen,
  closeShortcuts,
  openShortcuts,
  shownShortcuts,
} from "./shortcuts.ts";
import "./shortcuts.css";
import { useGoKeys } from "./use-go-keys.ts";

const EVERYWHERE: ShortcutGroup = {
  title: "Everywhere",
  keys: [
    ["Ctrl K", "Find anything, or do something"],
    ["?", "These shortcuts"],
    ["Ctrl Enter", "Send the form"],
    ["Esc", "Close the dialog"],
  ],
};

const LISTS: ShortcutGroup = {
  title: "Lists",
  keys: [
    ["j k", "Next and previous row"],
    ["Enter", "Open it"],
    ["Home End", "First and last row"],
  ],
};

const GO_TO: ShortcutGroup = {
  title: "Go to",
  keys: VIEWS.flatMap(({ label, letter }) => (letter === null ? [] : [[`g ${letter}`, label] as const])),
};

/** The keyboard shortcuts, opened with `?`: those of the current view first. Handles those of all views. */
export function Shortcuts() {
  const isOpen = useStore(areShortcutsOpen);
  const shown = useStore(shownShortcuts);
  useKeys({ "?": openShortcuts });
  useGoKeys();
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={closeShortcuts} isWide>
      {/* It is focused first, so that the dialog shows its top. */}
      <div className="shortcuts" role="region" aria-label="Shortcuts" tabIndex={0}>
        {[...shown, EVERYWHERE, LISTS, GO_TO].map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={closeShortcuts}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Group({ group: { title, keys } }: { group: ShortcutGroup }) {
  return (
    <section className="stack-s">
      <h3>{title}</h3>
      <dl className="shortcuts-keys">
        {keys.map(([names, effect]) => (
          <div key={names}>
            <dt>
              {names.split(" ").map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
