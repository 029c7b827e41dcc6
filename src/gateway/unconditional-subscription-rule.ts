import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";

/**
 * A validation rule: a subscription's root field must not have @skip or @include. Without a root field,
 * graphql-js throws.
 *
 * @see https://spec.graphql.org/September2025/#sec-Single-Root-Field
 */
export function unconditionalSubscriptionRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: ({ operation, selectionSet }) => {
      if (operation !== OperationTypeNode.SUBSCRIPTION || !isConditional(context, selectionSet)) return;
      context.reportError(new GraphQLError("A subscription's root field can't have @skip or @include."));
    },
  };
}

/** Cycles of fragments are rejected by another rule, which may run later. */
function isConditional(
  context: ValidationContext,
  { selections }: SelectionSetNode,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return selections.some((selection) => {
    if (selection.directives?.some(({ name }) => ["skip", "include"].includes(name.value))) return true;
    if (selection.kind === Kind.INLINE_FRAGMENT) return isConditional(context, selection.selectionSet, seen);
    if (selection.kind === Kind.FIELD || seen.has(selection.name.value)) return false;
    const fragment = context.getFragment(selection.name.value);
    return fragment
      ? isConditional(context, fragment.selectionSet, new Set([...seen, fragment.name.value]))
      : false;
  });
}
