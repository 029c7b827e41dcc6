import { createStore } from "./store.ts";

/** The most that are kept, the newest ones. */
const KEPT = 500;

const KEY = "inbox-archive";

/** What the user archived in this browser, by its key, which changes with what is archived. */
export const archivedKeys = createStore<readonly string[]>(read());

window.addEventListener("storage", ({ key }) => {
  if (key === KEY) archivedKeys.set(read());
});

/** Archives what waits, or brings it back. */
export function toggleArchived(key: string): void {
  const others = read().filter((other) => other !== key);
  const keys = archivedKeys.get().includes(key) ? others : [...others, key].slice(-KEPT);
  window.localStorage.setItem(KEY, JSON.stringify(keys));
  archivedKeys.set(keys);
}

function read(): readonly string[] {
  const kept = window.localStorage.getItem(KEY);
  return kept === null ? [] : parse(kept);
}

/** Other programs write to the storage of a page, too. */
function parse(kept: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(kept);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}
