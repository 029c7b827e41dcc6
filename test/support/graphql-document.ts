import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isUnionType,
} from "graphql";
import { schema } from "../../src/schema/schema.ts";

type Operation = "query" | "mutation";

/** The fields of Query or Mutation. */
export function rootFields(operation: Operation): GraphQLField<unknown, unknown>[] {
  const type = operation === "query" ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {});
}

/**
 * A document that calls one root field with all arguments as variables, and selects everything. Of an interface with
 * very many fields, `member` is the type whose fields are selected.
 */
export function documentFor(
  operation: Operation,
  { name, args, type }: GraphQLField<unknown, unknown>,
  member: string | null = null,
): string {
  const variables = args.map((arg) => `$${arg.name}: ${arg.type.toString()}`).join(", ");
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const list = (text: string) => (text === "" ? "" : `(${text})`);
  return `${operation}${list(variables)} { ${name}${list(given)} ${buildSelection(type, [], member)} }`;
}

/** Fields whose arguments can't refer to a row of another workspace. They have their own tests. */
const ON_THEIR_OWN = new Set([
  ...["EvalRun.results", "Robot.samples", "Stop.outstanding", "Budget.windows"],
  ...["Trace.skeleton", "Trace.span"],
]);

/** Selects every field of a type and its nested types. Fields with arguments need to be tested like root fields. */
function buildSelection(
  type: GraphQLOutputType,
  above: readonly string[],
  only: string | null = null,
): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return "";
  if (isUnionType(named) || isInterfaceType(named)) {
    const types = schema.getPossibleTypes(named).filter(({ name }) => only === null || name === only);
    // What is selected of one member is not selected again below another.
    const known = [...above, ...types.map(({ name }) => name)];
    const members = types.map((member) => `... on ${member.name} ${buildSelection(member, known)}`);
    return `{ __typename ${renameClashes(members)} }`;
  }
  if (!isObjectType(named)) throw new Error("a type without fields");
  const fields = Object.values(named.getFields()).map((field) => {
    if (ON_THEIR_OWN.has(`${named.name}.${field.name}`)) return "";
    if (field.args.length > 0)
      throw new Error(`${named.name}.${field.name} takes arguments: call it on its own`);
    const target = getNamedType(field.type);
    if (!isLeafType(target) && above.includes(target.name)) return "";
    return `${field.name} ${buildSelection(field.type, [...above, named.name])}`;
  });
  return `{ ${fields.join(" ")} }`;
}

/** Fields with the same name and different types, such as `status`, need an alias in each member. */
function renameClashes(members: string[]): string {
  return members
    .map((member, index) => {
      const [head = "", ...rest] = member.split(/(?<=on \w+ )/);
      return (
        head + rest.join("").replaceAll(/(?<=[{\s])(\w+)(?=[\s}])/g, (name) => `a${index}_${name}: ${name}`)
      );
    })
    .join(" ");
}
