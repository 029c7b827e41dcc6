import { useState } from "react";
import { chooseDesktopNotices, desktopNotices } from "../../data/desktop-notices.ts";
import { useStore } from "../../data/store.ts";
import { CheckField } from "../../ui/form/check-field.tsx";

/** Turns notifications by the desktop on and off, for this browser. */
export function NoticesField() {
  const isOn = useStore(desktopNotices);
  const [isRefused, setIsRefused] = useState(false);
  async function choose(wanted: boolean): Promise<void> {
    setIsRefused(!(await chooseDesktopNotices(wanted)));
  }
  return (
    <div className="stack-s">
      <CheckField
        label="Desktop notifications"
        name="notices"
        hint="When something new waits and this page is in the background. In this browser only."
        isChecked={isOn}
        onChange={(wanted) => void choose(wanted)}
      />
      <p className="small soft" role="status">
        {isRefused && "The browser doesn’t allow it. Change that in its settings for this site."}
      </p>
    </div>
  );
}
