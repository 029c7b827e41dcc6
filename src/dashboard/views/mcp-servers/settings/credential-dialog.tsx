import { useState } from "react";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import type { ShownServer } from "../server-fields.ts";
import { SetMcpCredential } from "./set-credential.ts";

/** Asks for the secret that requests carry. */
export function CredentialDialog({ server, onClose }: { server: ShownServer; onClose: () => void }) {
  const [secret, setSecret] = useState("");
  const [header, setHeader] = useState("");
  const { act, isBusy, problem } = useAct(SetMcpCredential);

  async function save(): Promise<void> {
    const named = header.trim() === "" ? null : header.trim();
    if ((await act({ serverId: server.id, secret, header: named })) === null) return;
    onClose();
    showNotice("The credential has been set. Test the connection next.");
  }

  return (
    <ConfirmDialog
      title={`Credential for ${server.name}`}
      confirmLabel="Set credential"
      isOpen
      onClose={onClose}
      onConfirm={() => void save()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <p className="small soft">
        Requests to {new URL(server.url).origin} carry it. It is stored sealed, and nobody can see it again.
      </p>
      <TextField
        label="Secret"
        name="secret"
        type="password"
        autoComplete="off"
        value={secret}
        onChange={setSecret}
        problem={problem}
        isRequired
      />
      <TextField
        label="Header"
        name="header"
        hint="Default: Authorization, as a bearer."
        placeholder="x-api-key"
        value={header}
        onChange={setHeader}
        problem={problem}
      />
    </ConfirmDialog>
  );
}
