import { useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import type { Problem } from "../../../data/problem.ts";
import { Form } from "../../../ui/form/form.tsx";
import { tell } from "../../../ui/notice.tsx";
import { capabilitiesOf } from "./capabilities.ts";
import { type CommandInput, commandInputOf } from "./command-input.ts";
import { Delivery } from "./delivery.tsx";
import { IssueCommand } from "./issue-command.ts";
import { emptyOrder, typeOf } from "./order.ts";
import { paramFieldsOf } from "./param-fields.ts";
import { Params } from "./params.tsx";
import { TargetChoice } from "./target-choice.tsx";
import { TypeChoice } from "./type-choice.tsx";
import { useTargets } from "./use-targets.ts";
import { WhatHappens } from "./what-happens.tsx";

/** Whom a command is for, which it is, and what it says. */
export function NewCommandForm({ agent }: { agent: string }) {
  const [order, setOrder] = useState(() => emptyOrder(agent));
  const [typing, setTyping] = useState<Problem | null>(null);
  const targets = useTargets(order);
  const { act, isBusy, problem: refusal } = useAct(IssueCommand);
  const [, go] = useLocation();
  const capabilities = capabilitiesOf(targets?.agents ?? []);
  const fields = paramFieldsOf(capabilities.find(({ type }) => type === typeOf(order))?.paramsSchema);
  const problem = typing ?? refusal;

  function change(changes: Partial<typeof order>): void {
    setOrder((now) => ({ ...now, ...changes }));
  }

  async function issue(): Promise<void> {
    const read = commandInputOf(order, fields);
    setTyping(read.problem);
    if (read.problem === null) await send(read.input);
  }

  async function send(input: CommandInput): Promise<void> {
    const made = await act({ input });
    const [first, ...others] = made?.issueAgentCommand.agentCommands ?? [];
    if (made === null || first === undefined) return;
    tell("The command is issued.");
    go(
      others.length === 0 ? `/commands/${first.uuid}` : `/commands/batches/${made.issueAgentCommand.batchId}`,
    );
  }

  return (
    <div className="card commands-form">
      <Form sendLabel="Issue the command" onSend={() => void issue()} isBusy={isBusy} problem={problem}>
        <TargetChoice order={order} onChange={change} problem={problem} />
        <TypeChoice order={order} onChange={change} capabilities={capabilities} problem={problem} />
        <Params key={typeOf(order)} fields={fields} order={order} onChange={change} problem={problem} />
        <Delivery order={order} onChange={change} problem={problem} />
        <WhatHappens order={order} targets={targets} />
      </Form>
    </div>
  );
}
