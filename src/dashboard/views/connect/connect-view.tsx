import { useState } from "react";
import { useIsAtLeast } from "../../data/viewer.tsx";
import { Page } from "../../ui/page.tsx";
import "./connect.css";
import { ConnectLines } from "./lines/connect-lines.tsx";
import { MintForm } from "./mint/mint-form.tsx";
import type { MintedKey } from "./mint/minted-key.ts";
import { MintedSecret } from "./mint/minted-secret.tsx";

/** Gives an agent a key of its own, and shows what to paste where, and whether it has connected. */
export function ConnectView() {
  const mayMint = useIsAtLeast("ADMIN");
  const [minted, setMinted] = useState<MintedKey | null>(null);
  return (
    <Page
      title="Connect an agent"
      lead="Any agent, in any language, without a package of ours: a key, and a line in its configuration."
    >
      {!mayMint && <p>Ask an admin for an API key for your agent. These are the lines that it goes into.</p>}
      {mayMint && minted === null && <MintForm onMint={setMinted} />}
      {minted !== null && <MintedSecret minted={minted} onAgain={() => setMinted(null)} />}
      <ConnectLines secret={minted?.secret ?? null} />
    </Page>
  );
}
