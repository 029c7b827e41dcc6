import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  print,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { schema } from "../schema/schema.ts";
import { getFragments, measureFrameWidth } from "./frame-width.ts";

/** What a subscription selects of each frame, independent of which frames it gets. */
export type FrameSelection = {
  /** Normalized: without parts that don't affect frames. */
  text: string;
  /** The names of the variables that affect frames. */
  variables: ReadonlySet<string>;
  width: number;
  /** Whether a frame is rendered once for all subscriptions with the same selection. */
  isShared: boolean;
};

const KNOWN = new WeakMap<OperationDefinitionNode, FrameSelection>();

/** Reads the selection of a valid subscription. Cached per document. */
export function getFrameSelection(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): FrameSelection {
  const known = KNOWN.get(operation) ?? read(document, operation);
  KNOWN.set(operation, known);
  return known;
}

function read(document: DocumentNode, operation: OperationDefinitionNode): FrameSelection {
  const fragments = getFragments(document);
  const roots = new Set<string>();
  const parts = [operation, ...listUsedFragments(operation, fragments)].map((part) =>
    stripArguments(part, (root) => roots.add(root)),
  );
  const variables = new Set<string>();
  for (const { selectionSet } of parts) {
    visit(selectionSet, { Variable: ({ name }) => void variables.add(name.value) });
  }
  const defaults = (operation.variableDefinitions ?? [])
    .filter(({ variable }) => variables.has(variable.name.value))
    .map((definition) => print(definition));
  const texts = parts.map((part) =>
    part.kind === Kind.FRAGMENT_DEFINITION ? print(part) : print(part.selectionSet),
  );
  const width = measureFrameWidth(document, operation);
  return {
    text: [...defaults, ...texts].join("\n"),
    variables,
    width,
    isShared: [...roots].every(isSharedField),
  };
}

/** Removes the subscription's arguments, which choose events. Arguments of fields below it would be kept. */
function stripArguments<Node extends OperationDefinitionNode | FragmentDefinitionNode>(
  part: Node,
  tellRoot: (name: string) => void,
): Node {
  const types = new TypeInfo(schema);
  return visit(
    part,
    visitWithTypeInfo(types, {
      Field: (node) => {
        if (types.getParentType() !== schema.getSubscriptionType()) return undefined;
        tellRoot(node.name.value);
        return { ...node, arguments: [] };
      },
    }),
  );
}

function isSharedField(name: string): boolean {
  return schema.getSubscriptionType()?.getFields()[name]?.extensions["isShared"] === true;
}

/** The fragments that a node uses, without duplicates, in order of first use. */
function listUsedFragments(
  part: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Set<FragmentDefinitionNode> {
  const used = new Set<FragmentDefinitionNode>();
  function follow(node: OperationDefinitionNode | FragmentDefinitionNode): void {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || used.has(fragment)) return;
        used.add(fragment);
        follow(fragment);
      },
    });
  }
  follow(part);
  return used;
}
