import { toWords } from "../../../ui/words.ts";
import type { ShownPolicy } from "../policy-fields.ts";

type Subject = NonNullable<ShownPolicy["subjects"]>[number];
type Resource = NonNullable<ShownPolicy["resources"]>[number];

/** Who a policy is for, in words: "every robot with site = hall-a, or people who are admin or above". */
export function describeSubjects(subjects: readonly Subject[] | null): string {
  return subjects === null ? "everybody" : joinAny(subjects.map(describeSubject));
}

/** What a policy is about, in words: "the tool stripe.refund*". */
export function describeResources(resources: readonly Resource[] | null): string {
  return resources === null ? "anything" : joinAny(resources.map(describeResource));
}

function describeSubject(subject: Subject): string {
  const { type, role, name } = subject;
  if (type === "agent") return describeAgents(subject);
  if (type === "member") return role === null || role === "VIEWER" ? "all members" : describeRole(role);
  return name === null ? `every ${type}` : `${type} ${name}`;
}

function describeRole(role: string): string {
  return role === "OWNER" ? "owners" : `members who are ${toWords(role)} or above`;
}

function describeResource(resource: Resource): string {
  const { type, name, server } = resource;
  if (type === "agent") return describeAgents(resource);
  const of = server === null ? "" : ` of the server ${server}`;
  return name === null ? `every ${toWords(type)}${of}` : `${toWords(type)} ${name}${of}`;
}

type Agents = Pick<Subject, "name" | "kind" | "labels">;

function describeAgents({ name, kind, labels }: Agents): string {
  const noun = kind === null ? "agent" : kind === "ROBOT" ? "robot" : "software agent";
  const pairs = describeLabels(labels);
  return `${name === null ? `every ${noun}` : `${noun} ${name}`}${pairs === "" ? "" : ` with ${pairs}`}`;
}

function describeLabels(labels: unknown): string {
  if (typeof labels !== "object" || labels === null) return "";
  return Object.entries(labels)
    .map(([label, value]) => (value === "*" ? `a label ${label}` : `${label} = ${String(value)}`))
    .join(" and ");
}

function joinAny(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} or ${last}`;
}
