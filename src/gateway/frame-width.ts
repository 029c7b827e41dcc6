import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  getNamedType,
  isObjectType,
} from "graphql";
import { schema } from "../schema/schema.ts";

/** The widest subscription allowed: about three times the whole schema of an event frame. */
const WIDEST = 100;
/** This many characters of a field's name count as one more field. */
const NAME_LENGTH = 32;
/** Of the types whose values are large. */
const WIDTHS = new Map([
  ["JSON", 10],
  ["TraceSkeleton", 50],
]);

/**
 * Returns an error if a subscription of the document, valid or not, would be too costly per frame;
 * otherwise null.
 */
export function findWidthError(document: DocumentNode): GraphQLError | null {
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation !== OperationTypeNode.SUBSCRIPTION)
      continue;
    const width = measureFrameWidth(document, node);
    if (width > WIDEST) {
      return new GraphQLError(
        `The subscription's width is ${width}. At most ${WIDEST} is allowed: select fewer fields.`,
      );
    }
  }
  return null;
}

/**
 * The cost of rendering a frame: each selected field counts 1, and more if its name is long or its value
 * large.
 */
export function measureFrameWidth(document: DocumentNode, { selectionSet }: OperationDefinitionNode): number {
  return createWidthMeter(getFragments(document))(schema.getSubscriptionType(), selectionSet);
}

export function getFragments({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
}

/** Sums widths. Visits each fragment once, however often it is used. */
function createWidthMeter(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, number>();

  function spread(name: string): number {
    const fragment = fragments.get(name);
    if (fragment === undefined) return 0;
    const before = known.get(name);
    if (before !== undefined) return before;
    // A fragment that uses itself is rejected later, by validation.
    known.set(name, 0);
    const width = measureWidth(schema.getType(fragment.typeCondition.name.value), fragment.selectionSet);
    known.set(name, width);
    return width;
  }

  function measureWidth(type: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode): number {
    let width = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        width += spread(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value;
        width += measureWidth(
          condition === undefined ? type : schema.getType(condition),
          selection.selectionSet,
        );
      } else {
        const field = isObjectType(type) ? type.getFields()[selection.name.value] : undefined;
        const result = field === undefined ? undefined : getNamedType(field.type);
        const { length } = (selection.alias ?? selection.name).value;
        width += (WIDTHS.get(result?.name ?? "") ?? 1) + Math.floor(length / NAME_LENGTH);
        if (selection.selectionSet) width += measureWidth(result, selection.selectionSet);
      }
    }
    return width;
  }

  return measureWidth;
}
