/** The entered values. "" means not set. */
export type CommandOrder = {
  /** One agent, or all agents of a kind or with some labels. */
  to: "one" | "many";
  agent: string;
  kind: string;
  labels: string;
  /** "other" if `otherType` is used. */
  type: string;
  otherType: string;
  /** By param name. */
  params: Readonly<Record<string, string>>;
  /** The params as JSON, if they have no fields of their own. */
  json: string;
  isUrgent: boolean;
  expiresInSeconds: string;
};

export type ChangeOrder = (changes: Partial<CommandOrder>) => void;

/** An empty form, with the agent preset if known. */
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

/** The chosen or entered type. */
export function getType({ type, otherType }: CommandOrder): string {
  return type === "other" ? otherType.trim() : type;
}
