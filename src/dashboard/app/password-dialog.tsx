import { useState } from "react";
import { useQuery } from "urql";
import { graphql } from "../data/graphql.ts";
import { passwordRequest } from "../data/password-request.ts";
import { useStore } from "../data/store.ts";
import { useAct } from "../data/use-act.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form/form.tsx";
import { TextField } from "../ui/form/text-field.tsx";

const ConfirmPassword = graphql(`
  mutation ConfirmPassword($password: String!, $code: String) {
    confirmPassword(input: { password: $password, code: $code }) {
      session {
        isSudo
      }
    }
  }
`);

const ReadOwnFactor = graphql(`
  query ReadOwnFactor {
    viewer {
      user {
        id
        hasSecondFactor
      }
    }
  }
`);

/** Asks for the password again, and for a code of the second factor, where an act requires it. Use it once per page. */
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
  const [code, setCode] = useState("");
  const [{ data }] = useQuery({ query: ReadOwnFactor, requestPolicy: "network-only" });
  const { act, isBusy, problem } = useAct(ConfirmPassword);
  const asksCode = data?.viewer.user?.hasSecondFactor === true;

  async function confirm(): Promise<void> {
    if ((await act({ password, code: asksCode ? code : null })) !== null) onAnswer(true);
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
      {asksCode && (
        <p>
          <a href={`/users/confirm-password?return_to=${encodeURIComponent(window.location.pathname)}`}>
            Use a passkey instead
          </a>
        </p>
      )}
      {asksCode && (
        <TextField
          label="Code of your second factor"
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          problem={problem}
          isRequired
        />
      )}
    </Form>
  );
}
