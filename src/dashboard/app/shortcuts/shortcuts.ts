import { useEffect } from "react";
import { createStore } from "../../data/store.ts";

/** Keys of one part of the page, such as `j k`, and what they do. */
export type ShortcutGroup = { title: string; keys: readonly (readonly [keys: string, effect: string])[] };

/** The keys of the components that are shown. */
export const shownShortcuts = createStore<readonly ShortcutGroup[]>([]);

const added = new Set<ShortcutGroup>();

/** Lists keys in the dialog of shortcuts while the component is mounted. `group` must be constant. */
export function useShortcuts(group: ShortcutGroup): void {
  useEffect(() => {
    added.add(group);
    shownShortcuts.set([...added]);
    return () => {
      added.delete(group);
      shownShortcuts.set([...added]);
    };
  }, [group]);
}

export const areShortcutsOpen = createStore(false);

export function openShortcuts(): void {
  areShortcutsOpen.set(true);
}

export function closeShortcuts(): void {
  areShortcutsOpen.set(false);
}
