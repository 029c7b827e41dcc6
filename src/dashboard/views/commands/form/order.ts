/** A command as it is typed; "" for what is left out. */
export type CommandOrder = {
  /** Whether it is for one agent, or for all of a kind or with some labels. */
  to: "one" | "many";
  agent: string;
  kind: string;
  labels: string;
  /** "other" where `otherType` has it. */
  type: string;
  otherType: string;
  /** By the name of the param. */
  params: Readonly<Record<string, string>>;
  /** The params as JSON, where they have no fields of their own. */
  json: string;
  isUrgent: boolean;
  expiresInSeconds: string;
};

/** Changes some of what is typed. */
export type ChangeOrder = (changes: Partial<CommandOrder>) => void;

/** A form in which only the agent may be known. */
export function createEmptyOrder(agent: string): CommandOrder {
  return {
    to: "one",
    agent,
    kind: "",
    labels: "",
    type: "agent.pause",
    otherType: "custom.",
    params: {},
    json: "{}",
    isUrgent: false,
    expiresInSeconds: "3600",
  };
}

/** The type that is asked for, wherever it was typed. */
export function getType({ type, otherType }: CommandOrder): string {
  return type === "other" ? otherType.trim() : type;
}
