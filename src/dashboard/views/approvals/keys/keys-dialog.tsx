import { Dialog } from "../../../ui/dialog.tsx";
import { Facts } from "../../../ui/facts.tsx";

const KEYS = [
  ["j k", "Next and previous in the list"],
  ["Enter", "Open it"],
  ["a", "Approve what is open; twice where admins decide"],
  ["d", "Deny it, with a reason"],
  ["e", "Edit its arguments and approve, where that is allowed"],
  [".", "Open the next that waits"],
  ["?", "This list"],
].map(([key, what]) => [key ?? "", what] as const);

/** The keys of the page. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <Facts facts={KEYS} />
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
