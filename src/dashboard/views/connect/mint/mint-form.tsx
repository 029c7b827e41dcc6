import { useState } from "react";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { AgentFields } from "./agent-fields.tsx";
import type { MintedKey } from "./minted-key.ts";
import { PURPOSES, type Purpose, USUAL_PURPOSES, listScopes } from "./purposes.ts";
import { NOBODY, toOwner } from "./typed-agent.ts";
import { useMint } from "./use-mint.ts";

const EXPIRY_OPTIONS: readonly Option[] = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["", "Never"],
];

/** Names or chooses an agent, and creates a key for it. */
export function MintForm({ onMint }: { onMint: (minted: MintedKey) => void }) {
  const [typed, setTyped] = useState(NOBODY);
  const [purposes, setPurposes] = useState(USUAL_PURPOSES);
  const [days, setDays] = useState("90");
  const { mint, isBusy, problem } = useMint(toOwner(typed), (uuid) => {
    setTyped({ ...typed, isNew: false, uuid });
  });

  async function send(): Promise<void> {
    const minted = await mint({ scopes: listScopes(purposes), days: days === "" ? null : Number(days) });
    if (minted !== null) onMint(minted);
  }

  return (
    <section className="card stack-m connect-card" aria-labelledby="connect-agent">
      <h2 id="connect-agent">Which agent?</h2>
      <Form sendLabel="Create API key" onSend={() => void send()} isBusy={isBusy} problem={problem}>
        <AgentFields
          typed={typed}
          onChange={(changes) => setTyped({ ...typed, ...changes })}
          problem={problem}
        />
        <Purposes chosen={purposes} onChange={setPurposes} />
        <div className="columns">
          <SelectField
            label="The key expires after"
            name="expiresAt"
            options={EXPIRY_OPTIONS}
            value={days}
            onChange={setDays}
            problem={problem}
          />
        </div>
      </Form>
    </section>
  );
}

type PurposesProps = { chosen: ReadonlySet<Purpose>; onChange: (chosen: ReadonlySet<Purpose>) => void };

function Purposes({ chosen, onChange }: PurposesProps) {
  function choose(name: Purpose, isChosen: boolean): void {
    onChange(new Set([...chosen, name].filter((one) => one !== name || isChosen)));
  }

  return (
    <fieldset className="stack-m">
      <legend className="legend">It may</legend>
      <div className="checks">
        {PURPOSES.map(({ name, label, scopes }) => (
          <CheckField
            key={name}
            label={label}
            name={name}
            hint={scopes.join(", ")}
            isChecked={chosen.has(name)}
            onChange={(isChosen) => choose(name, isChosen)}
          />
        ))}
      </div>
      <p className="small soft">
        Keys with other scopes, or for certain addresses only, are created in{" "}
        <a href="/settings/api-keys">the settings</a>.
      </p>
    </fieldset>
  );
}
