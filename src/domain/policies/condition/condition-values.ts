import { isObject } from "../../kernel/is-object.ts";
import {
  type AgentCounters,
  type EntityAgent,
  type EvaluationRequest,
  NO_COUNTERS,
} from "../evaluation-request.ts";
import { getServer } from "../match-scope.ts";

/** A request as conditions see it. */
export type ConditionValues = {
  /** The variables by name. Without `agent` if the subject is none, and without `counters` if they are not known. */
  variables: Record<string, unknown>;
  /** Whether the arguments of a tool are an object, if only `{}`: of anything else, no member could be found. */
  hasArguments: boolean;
  /** List elements and object members, at any depth. */
  elements: number;
  /** About the length of its JSON. */
  size: number;
};

/** Prepares a request for the conditions of policies. */
export function createConditionValues(request: EvaluationRequest, now: Date): ConditionValues {
  const count = { elements: 0, size: 0 };
  const { subject, action, resource, context, counters } = request;
  const hasArguments = isObject(action.properties["arguments"]);
  const { agent } = subject;
  const actionProperties = toValue(action.properties, count);
  const variables = {
    args: hasArguments ? getMember(actionProperties, "arguments") : new Map(),
    request: toValue(context, count),
    ...(agent !== null && {
      agent: { ...toAgentValue(agent), labels: toValue(agent.labels, count) },
      environment: agent.labels["env"] ?? "",
    }),
    ...(agent === null && { environment: "" }),
    subject: { type: subject.type, id: subject.id, properties: toValue(subject.properties, count) },
    action: { name: action.name, properties: actionProperties },
    resource: {
      type: resource.type,
      name: resource.agent?.handle ?? resource.id,
      server: getServer(resource.id),
      ...(resource.agent !== null && {
        kind: resource.agent.kind,
        labels: toValue(resource.agent.labels, count),
      }),
      properties: toValue(resource.properties, count),
    },
    ...(counters !== undefined && { counters: toCounterValues(counters) }),
    now,
  };
  return { variables, hasArguments, ...count };
}

function toCounterValues(counters: Partial<AgentCounters>) {
  const { callsLastMinute, denialsLastHour, costTodayMicroUsd, tokensToday } = {
    ...NO_COUNTERS,
    ...counters,
  };
  return {
    calls_last_minute: BigInt(callsLastMinute),
    denials_last_hour: BigInt(denialsLastHour),
    cost_today_microusd: BigInt(costTodayMicroUsd),
    tokens_today: BigInt(tokensToday),
  };
}

function toAgentValue({ id, handle, kind, version }: EntityAgent) {
  return { id, handle, kind, version: version ?? "" };
}

function getMember(value: unknown, name: string): unknown {
  return value instanceof Map ? value.get(name) : isObject(value) ? value[name] : undefined;
}

/**
 * Counts a value's parts. Objects become maps: the evaluator tells types apart by `constructor`, and takes two
 * maps of different sizes for different without reading them.
 */
function toValue(value: unknown, count: { elements: number; size: number }): unknown {
  if (typeof value === "string") count.size += value.length;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    count.elements += value.length;
    return value.map((element: unknown) => toValue(element, count));
  }
  const members = Object.entries(value).map(([name, member]) => {
    count.size += name.length;
    return [name, toValue(member, count)] as const;
  });
  count.elements += members.length;
  return new Map(members);
}
