import { Notice } from "../ui/notice.tsx";
import { InboxNotifier } from "./inbox-notifier.tsx";
import { Palette } from "./palette/palette.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { Shortcuts } from "./shortcuts/shortcuts-dialog.tsx";

/** What any page may open: the palette, shortcuts, the question for the password, and notices. */
export function Overlays() {
  return (
    <>
      <InboxNotifier />
      <Palette />
      <Shortcuts />
      <PasswordDialog />
      <Notice />
    </>
  );
}
