import { CopyButton } from "../../../ui/copy-button.tsx";
import { Connected } from "./connected.tsx";
import type { MintedKey } from "./minted-key.ts";

/** Shows the secret, this once, and whether the agent has used it. */
export function MintedSecret({ minted, onAgain }: { minted: MintedKey; onAgain: () => void }) {
  const { uuid, agentName, secret } = minted;
  return (
    <section className="card stack-m connect-card" aria-labelledby="connect-secret">
      <h2 id="connect-secret">The API key of {agentName}</h2>
      <p className="notice notice-warn" role="status">
        <strong>Copy it now.</strong> You won’t be able to see it again.
      </p>
      <code className="secret" role="textbox" aria-readonly="true" tabIndex={0} aria-label="API key">
        {secret}
      </code>
      <div className="actions">
        <CopyButton text={secret} what="the API key" />
        <a className="button button-small" href={`/settings/api-keys/${uuid}`}>
          Its settings
        </a>
        <button type="button" className="button button-small" onClick={onAgain}>
          Connect another agent
        </button>
      </div>
      <Connected minted={minted} />
    </section>
  );
}
