import { useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { Form } from "../../../ui/form/form.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { listCapabilities } from "./capabilities.ts";
import { type CommandInput, toCommandInput } from "./command-input.ts";
import { DeliveryFields } from "./delivery-fields.tsx";
import { IssueCommand } from "./issue-command.ts";
import { createEmptyOrder, getType } from "./order.ts";
import { toParamFields } from "./param-fields.ts";
import { Params } from "./params.tsx";
import { TargetChoice } from "./target-choice.tsx";
import { TypeChoice } from "./type-choice.tsx";
import { useTargets } from "./use-targets.ts";
import { WhatHappens } from "./what-happens.tsx";

/** The form for a new command: target, type and params. */
export function NewCommandForm({ agent }: { agent: string }) {
  const [order, setOrder] = useState(() => createEmptyOrder(agent));
  const [typing, setTyping] = useState<UserProblem | null>(null);
  const targets = useTargets(order);
  const { act, isBusy, problem: serverProblem } = useAct(IssueCommand);
  const [, go] = useLocation();
  const capabilities = listCapabilities(targets?.agents ?? []);
  const fields = toParamFields(capabilities.find(({ type }) => type === getType(order))?.paramsSchema);
  const problem = typing ?? serverProblem;

  function change(changes: Partial<typeof order>): void {
    setOrder((now) => ({ ...now, ...changes }));
  }

  async function issue(): Promise<void> {
    const read = toCommandInput(order, fields);
    setTyping(read.problem);
    if (read.problem === null) await send(read.input);
  }

  async function send(input: CommandInput): Promise<void> {
    const made = await act({ input });
    const [first, ...others] = made?.issueAgentCommand.agentCommands ?? [];
    if (made === null || first === undefined) return;
    showNotice("The command has been issued.");
    go(
      others.length === 0 ? `/commands/${first.uuid}` : `/commands/batches/${made.issueAgentCommand.batchId}`,
    );
  }

  return (
    <div className="card commands-form">
      <Form sendLabel="Issue command" onSend={() => void issue()} isBusy={isBusy} problem={problem}>
        <TargetChoice order={order} onChange={change} problem={problem} />
        <TypeChoice order={order} onChange={change} capabilities={capabilities} problem={problem} />
        <Params key={getType(order)} fields={fields} order={order} onChange={change} problem={problem} />
        <DeliveryFields order={order} onChange={change} problem={problem} />
        <WhatHappens order={order} targets={targets} />
      </Form>
    </div>
  );
}
