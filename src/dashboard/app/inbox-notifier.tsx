import { useEffect, useRef } from "react";
import { desktopNotices } from "../data/desktop-notices.ts";
import { useStore } from "../data/store.ts";
import { useWaitingKeys } from "../data/use-waiting-keys.ts";
import { formatCount } from "../ui/words.ts";
import { waitingCount } from "../ui/window-title.ts";

/** Tells what waits for the user in the window's title, and by the desktop if they want. */
export function InboxNotifier() {
  const { keys, count } = useWaitingKeys();
  const isWanted = useStore(desktopNotices);
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => waitingCount.set(count), [count]);
  const shown = keys?.join() ?? null;
  useEffect(() => {
    if (shown === null) return;
    const now = shown === "" ? [] : shown.split(",");
    const before = known.current;
    known.current = new Set(now);
    const added = before === null ? 0 : now.filter((key) => !before.has(key)).length;
    if (added > 0 && isWanted && document.hidden) notify(added);
  }, [shown, isWanted]);
  return null;
}

/** One notification replaces the one before. */
function notify(added: number): void {
  const text = formatCount(added, "new thing waits for you", "new things wait for you");
  const notice = new Notification("Agent Ops", { body: text, tag: "inbox" });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
  });
}
