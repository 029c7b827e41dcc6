import { useState } from "react";
import { graphql } from "../data/graphql.ts";
import { passwordRequest } from "../data/password-request.ts";
import { useStore } from "../data/store.ts";
import { useAct } from "../data/use-act.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form/form.tsx";
import { TextField } from "../ui/form/text-field.tsx";

const ConfirmPassword = graphql(`
  mutation ConfirmPassword($password: String!) {
    confirmPassword(input: { password: $password }) {
      session {
        isSudo
      }
    }
  }
`);

/** Asks for the password again where an act requires it. Use it once per page. */
export function PasswordDialog() {
  const answer = useStore(passwordRequest);
  return (
    <Dialog title="Confirm with your password" isOpen={answer !== null} onClose={() => answer?.(false)}>
      {answer !== null && <PasswordForm onAnswer={answer} />}
    </Dialog>
  );
}

function PasswordForm({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState("");
  const { act, isBusy, problem } = useAct(ConfirmPassword);

  async function confirm(): Promise<void> {
    if ((await act({ password })) !== null) onAnswer(true);
  }

  return (
    <Form
      sendLabel="Confirm"
      onSend={() => void confirm()}
      onBack={() => onAnswer(false)}
      isBusy={isBusy}
      problem={problem}
    >
      <p>You last entered it more than 20 minutes ago.</p>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        problem={problem}
        isRequired
      />
    </Form>
  );
}
