import { useState } from "react";
import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { CreateTask } from "./create-task.ts";
import { MoreFields, type BindField } from "./more-fields.tsx";
import { BAD_DATA, EMPTY_TASK, toTaskInput } from "./task-input.ts";

/** The form for a new task. */
export function NewTaskForm() {
  const [typed, setTyped] = useState(EMPTY_TASK);
  const [isDataBad, setIsDataBad] = useState(false);
  const { act, isBusy, problem: serverProblem } = useAct(CreateTask);
  const [, go] = useLocation();
  const problem = isDataBad ? BAD_DATA : serverProblem;

  async function create(): Promise<void> {
    const input = toTaskInput(typed);
    setIsDataBad(input === null);
    const made = input === null ? null : await act({ input });
    if (made === null) return;
    showNotice("The task has been created.");
    go(`/tasks/${made.createTask.task.uuid}`);
  }

  function bind(name: keyof typeof typed): ReturnType<BindField> {
    return {
      name,
      value: typed[name],
      problem,
      onChange: (value) => setTyped((now) => ({ ...now, [name]: value })),
    };
  }

  return (
    <div className="card tasks-form">
      <Form sendLabel="Create task" onSend={() => void create()} isBusy={isBusy} problem={problem}>
        <TextField label="Title" isRequired {...bind("title")} />
        <TextField label="Instruction" hint="What the agent should do." isLong {...bind("text")} />
        <div className="columns">
          <TextField label="Queue" hint="Leave empty for “default”." {...bind("queue")} />
          <AgentField
            label="Agent"
            hint="Only this agent may claim it."
            none="Any agent"
            {...bind("assigneeAgentId")}
          />
        </div>
        <MoreFields bind={bind} />
      </Form>
    </div>
  );
}
