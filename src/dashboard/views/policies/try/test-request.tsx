import { useState } from "react";
import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { graphql } from "../../../data/graphql.ts";
import { useAsk } from "../../../data/use-ask.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Explanation } from "../../decisions/explanation/explanation.tsx";
import { ExplanationFields } from "../../decisions/explanation/explanation-fields.ts";
import "../../decisions/decisions.css";
import type { PolicyChanges } from "./policy-changes.ts";

const TestPolicies = graphql(
  `
    query TestPolicies($requestText: String!, $agentId: ID, $changes: PolicyChangesInput) {
      testPolicies(requestText: $requestText, agentId: $agentId, changes: $changes) {
        ...ExplanationFields
      }
    }
  `,
  [ExplanationFields],
);

export type TestRequestProps = {
  /** What is tried; null for the policies as they are. */
  changes: PolicyChanges | null;
  /** The request and the agent to begin with. */
  initial?: { request: unknown; agentUuid: string } | undefined;
};

const EXAMPLE = {
  action: { name: "tools/call", properties: { arguments: { amount: 900 } } },
  resource: { type: "tool", id: "stripe.refund" },
};

/** Asks what the gateway would say to a request, and why. */
export function TestRequest({ changes, initial }: TestRequestProps) {
  const [text, setText] = useState(() => JSON.stringify(initial?.request ?? EXAMPLE, null, 2));
  const [agent, setAgent] = useState(initial?.agentUuid ?? "");
  const { ask, answer, isBusy, problem } = useAsk(TestPolicies);
  const asked = {
    requestText: text,
    agentId: isUuid(agent) ? toGlobalId("Agent", agent) : null,
    changes,
  };
  const isOutdated = answer !== null && JSON.stringify(answer.variables) !== JSON.stringify(asked);
  return (
    <section className="card stack-m policies-form policies-test" aria-labelledby="policy-test">
      <h2 id="policy-test">Test a request</h2>
      <p className="small soft">
        {changes === null
          ? "What the gateway would say now. Nothing is stored."
          : "What the gateway would say with this rule as it is written here. Nothing is stored."}
      </p>
      <Form sendLabel="Test" onSend={() => void ask(asked)} isBusy={isBusy} problem={problem}>
        <AgentField
          label="Agent that asks"
          name="agentId"
          none="Choose one"
          value={agent}
          onChange={setAgent}
          problem={problem}
        />
        <TextField
          label="Request"
          name="requestText"
          hint="JSON, as agents send it to POST /api/v1/gateway/check."
          value={text}
          onChange={setText}
          problem={problem}
          isLong
          isRequired
        />
      </Form>
      <div role="status">
        {answer !== null && !isOutdated && <Explanation explanation={answer.data.testPolicies} />}
      </div>
    </section>
  );
}
