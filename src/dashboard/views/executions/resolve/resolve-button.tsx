import { useState } from "react";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { type ExecutionItem, isOpenToPeople } from "../execution-fields.ts";
import { ResolveDialog } from "./resolve-dialog.tsx";

/** Says how an execution ended. Renders nothing if that is known, or if the user may not. */
export function ResolveButton({
  execution,
  isSmall = false,
}: {
  execution: ExecutionItem;
  isSmall?: boolean;
}) {
  const mayResolve = useIsAtLeast("OPERATOR");
  const [isOpen, setIsOpen] = useState(false);
  if (!mayResolve || !isOpenToPeople(execution)) return null;
  return (
    <>
      <button
        type="button"
        className={isSmall ? "button button-small" : "button button-primary"}
        onClick={() => setIsOpen(true)}
      >
        Resolve<span className="visually-hidden"> {toVisibleText(execution.resourceId)}</span>
      </button>
      {isOpen && <ResolveDialog execution={execution} onClose={() => setIsOpen(false)} />}
    </>
  );
}
