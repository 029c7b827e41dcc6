import { useState } from "react";
import { useIsAtLeast, useViewer } from "../../data/viewer.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import { StopDialog } from "./stop-dialog.tsx";

/** Starts an emergency stop, after asking whom to stop, for a reason and for confirmation. */
export function StopButton() {
  const [isOpen, setIsOpen] = useState(false);
  const { isAllStopped } = useViewer();
  if (!useIsAtLeast("OPERATOR") || isAllStopped) return null;
  return (
    <>
      <button type="button" className="button button-small button-stop" onClick={() => setIsOpen(true)}>
        <Icon name="octagon-x" />
        Emergency stop
      </button>
      {isOpen && <StopDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
