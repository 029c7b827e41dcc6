import type { UserProblem } from "../../../data/problem.ts";
import { CheckField } from "../../../ui/form/check-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import type { ChangeServer, TypedServer } from "./server-input.ts";

export type EditableFieldsProps = { typed: TypedServer; onChange: ChangeServer; problem: UserProblem | null };

/** What can be changed of a server. */
export function EditableFields({ typed, onChange, problem }: EditableFieldsProps) {
  function bind(name: "name" | "url" | "holdSeconds") {
    return { name, value: typed[name], problem, onChange: (value: string) => onChange({ [name]: value }) };
  }

  return (
    <>
      <TextField label="Name" hint="For people." isRequired {...bind("name")} />
      <TextField
        label="URL"
        hint="Of its Streamable HTTP transport. With another origin, the credential is gone."
        placeholder="https://mcp.example.com/mcp"
        isRequired
        {...bind("url")}
      />
      <TextField
        label="Calls wait for people"
        hint="Seconds, 0 to 590. Default 50. Longer waits go on when the agent calls again."
        {...bind("holdSeconds")}
      />
      <CheckField
        label="Enabled"
        name="enabled"
        hint="While it is disabled, nobody can call its tools."
        isChecked={typed.enabled}
        onChange={(enabled) => onChange({ enabled })}
      />
    </>
  );
}
