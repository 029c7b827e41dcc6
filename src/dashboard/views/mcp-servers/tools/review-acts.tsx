import { useState } from "react";
import { type ShortcutGroup, useShortcuts } from "../../../app/shortcuts/shortcuts.ts";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { useKeys } from "../../../ui/use-keys.ts";
import { ReviewMcpTools } from "./review-mutation.ts";
import type { ShownTool } from "./tool-fields.ts";

export type ReviewActsProps = {
  /** As it is shown: the review names its hash. */
  tool: ShownTool;
  serverId: string;
};

/** Approves the definition that is shown, which takes a second press, or blocks the tool. */
export function ReviewActs({ tool, serverId }: ReviewActsProps) {
  const mayReview = useIsAtLeast("ADMIN");
  return (
    <section className="card stack-m" aria-label="Review">
      <p>{EFFECTS[tool.status]}</p>
      {mayReview ? <Acts tool={tool} serverId={serverId} /> : <p>Admins decide about it.</p>}
    </section>
  );
}

const SHORTCUTS: ShortcutGroup = {
  title: "Tool",
  keys: [
    ["a", "Approve its definition, by a second press"],
    ["b", "Block it"],
    [".", "Open the next that waits"],
  ],
};

const EFFECTS = {
  APPROVED: "Agents see and call it as it is defined above.",
  BLOCKED: "Nobody can call it, also if it changes.",
  CHANGED: "Nobody can call it: it differs from what was approved.",
  GONE: "The server no longer lists it, so that nobody can call it.",
  PENDING: "Nobody can call it: it is new.",
} as const;

function Acts({ tool: { id, name, hash, status }, serverId }: ReviewActsProps) {
  const [isArmed, setIsArmed] = useState(false);
  const { act, isBusy, problem } = useAct(ReviewMcpTools);

  async function review(verdict: "APPROVE" | "BLOCK"): Promise<void> {
    if (isBusy) return;
    setIsArmed(false);
    const done = await act({ serverId, tools: [{ id, hash }], verdict });
    if (done === null) return;
    const shown = toVisibleText(name);
    showNotice(verdict === "APPROVE" ? `${shown} has been approved.` : `${shown} has been blocked.`);
  }

  async function approve(): Promise<void> {
    if (status === "APPROVED" || isBusy) return;
    if (isArmed) await review("APPROVE");
    else setIsArmed(true);
  }

  async function block(): Promise<void> {
    if (status !== "BLOCKED") await review("BLOCK");
  }

  useKeys({ a: () => void approve(), b: () => void block() });
  useShortcuts(SHORTCUTS);

  return (
    <>
      <ErrorNote problem={problem} />
      <div className="actions mcp-keys">
        {status !== "APPROVED" && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isBusy}
            onClick={() => void approve()}
          >
            {isArmed ? "Press again to approve" : "Approve"}
            <kbd>a</kbd>
          </button>
        )}
        {status !== "BLOCKED" && (
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void block()}>
            Block
            <kbd>b</kbd>
          </button>
        )}
      </div>
    </>
  );
}
