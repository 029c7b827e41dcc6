import { schema } from "../schema/schema.ts";
import { findWidthError } from "./frame-width.ts";
import { parseDocument } from "./parse-document.ts";
import { unconditionalSubscriptionRule } from "./unconditional-subscription-rule.ts";
import {
  type DocumentNode,
  GraphQLError,
  type OperationDefinitionNode,
  getOperationAST,
  specifiedRules,
  validate,
  type ASTVisitor,
  OperationTypeNode,
  TypeInfo,
  type ValidationContext,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { LRUCache } from "lru-cache";

/** A document that may be executed. */
export type PreparedDocument = { document: DocumentNode; operation: OperationDefinitionNode };

/** Reads documents: each text is parsed and validated once while it is in use. */
export type Documents = (
  query: string,
  operationName: string | null | undefined,
) => PreparedDocument | readonly GraphQLError[];

/** Documents that are kept read, and the tokens that they have in all: one takes up about half a kilobyte. */
const KEPT = { max: 500, maxSize: 60_000 };
/** A document of more is read anew each time: whoever sends such does not send it often. */
const KEPT_TOKENS = 500;
const RULES = [...specifiedRules, unconditionalSubscriptionRule, immediateSubscriptionRule];

/** Makes a reader of documents. */
export function createDocuments(): Documents {
  const known = new LRUCache<string, DocumentNode>({
    ...KEPT,
    sizeCalculation: ({ tokenCount = 0 }) => tokenCount + 1,
  });
  return (query, operationName) => {
    const document = known.get(query) ?? read(query);
    if (!("kind" in document)) return document;
    if ((document.tokenCount ?? 0) <= KEPT_TOKENS) known.set(query, document);
    const operation = getOperationAST(document, operationName ?? undefined);
    return operation === null || operation === undefined
      ? [new GraphQLError("There is no such operation in the document.")]
      : { document, operation };
  };
}

function read(query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parseDocument(query);
    const widthError = findWidthError(document);
    if (widthError !== null) return [widthError];
    const problems = validate(schema, document, RULES);
    return problems.length > 0 ? problems : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/**
 * Holds a subscription to fields that its events have in themselves: they are written as they come, in their order,
 * and nothing is looked up for them.
 */
function immediateSubscriptionRule(context: ValidationContext): ASTVisitor {
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
