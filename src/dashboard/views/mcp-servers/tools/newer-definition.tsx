import type { ReactNode } from "react";

/** Says that what is shown is no longer what the server says. `onShow` begins anew with that. */
export function NewerDefinition({ children, onShow }: { children: ReactNode; onShow: () => void }) {
  return (
    <div className="notice notice-warn note" role="status">
      <p>{children}</p>
      <button type="button" className="button button-small" onClick={onShow}>
        Show what it is now
      </button>
    </div>
  );
}
