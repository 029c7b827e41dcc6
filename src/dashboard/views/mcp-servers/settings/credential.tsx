import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import type { ShownServer } from "../server-fields.ts";
import { CredentialDialog } from "./credential-dialog.tsx";
import { SetMcpCredential } from "./set-credential.ts";

/** Whether requests carry a secret, and who set it when. Nobody can see it again. */
export function Credential({ server }: { server: ShownServer }) {
  const mayChange = useIsAtLeast("ADMIN");
  const [isOpen, setIsOpen] = useState(false);
  const { act, isBusy, problem } = useAct(SetMcpCredential);

  async function remove(): Promise<void> {
    if (isBusy) return;
    const done = await act({ serverId: server.id, secret: null, header: null });
    if (done !== null) showNotice("The credential has been removed.");
  }

  return (
    <section className="card stack-m" aria-labelledby="mcp-credential">
      <h2 id="mcp-credential">Credential</h2>
      <Description server={server} />
      <ErrorNote problem={problem} />
      {mayChange && (
        <div className="actions">
          <button type="button" className="button" onClick={() => setIsOpen(true)}>
            {server.credentialKind === "NONE" ? "Set credential" : "Replace credential"}
          </button>
          {server.credentialKind !== "NONE" && (
            <button type="button" className="button" aria-disabled={isBusy} onClick={() => void remove()}>
              Remove credential
            </button>
          )}
        </div>
      )}
      {isOpen && <CredentialDialog server={server} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

function Description({ server }: { server: ShownServer }) {
  const { credentialKind: kind, credentialHeader: header, credentialSetAt: at, credentialSetBy: by } = server;
  if (kind === "NONE") return <p className="soft">Requests to it carry none.</p>;
  return (
    <p>
      Requests carry {kind === "BEARER" ? "a bearer token" : <code>{header}</code>}, set <TimeAgo at={at} />{" "}
      by {by?.name ?? "somebody"}. Nobody can see it again.
    </p>
  );
}
