import {
  type ASTVisitor,
  GraphQLError,
  OperationTypeNode,
  TypeInfo,
  type ValidationContext,
  visit,
  visitWithTypeInfo,
} from "graphql";

/**
 * Holds a subscription to fields that its events have in themselves: they are written as they come, in their order,
 * and nothing is looked up for them.
 */
export function immediateSubscription(context: ValidationContext): ASTVisitor {
  const types = new TypeInfo(context.getSchema());
  const fields = visitWithTypeInfo(types, {
    Field: ({ name }) => {
      if (types.getFieldDef()?.extensions["isLookedUp"] !== true) return;
      context.reportError(new GraphQLError(`A subscription has no ${name.value}: ask for it by a query.`));
    },
  });
  return {
    OperationDefinition: (node) => {
      if (node.operation !== OperationTypeNode.SUBSCRIPTION) return;
      for (const part of [node, ...context.getRecursivelyReferencedFragments(node)]) visit(part, fields);
    },
  };
}
