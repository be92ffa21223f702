import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/** What Shopify allows one query. */
export const MOST_COST = 1000;

/**
 * What a query costs at most: an object one point, a connection two and what its page costs. Shopify's own
 * formula is kinder to large pages.
 */
export function costOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>): number {
  const fragments = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.selectionSet] : [],
  );
  const [selection] = fragments;
  if (selection === undefined) return 0;
  const isMutation = document.definitions.some(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation',
  );
  return isMutation ? 10 : costOfSelection(selection, variables);
}

function costOfSelection(selection: SelectionSetNode, variables: Readonly<Record<string, unknown>>): number {
  return selection.selections
    .map((one) => {
      if (one.kind === Kind.INLINE_FRAGMENT) return costOfSelection(one.selectionSet, variables);
      if (one.kind !== Kind.FIELD || one.selectionSet === undefined) return 0;
      const inside = costOfSelection(one.selectionSet, variables);
      if (one.name.value === 'nodes' || one.name.value === 'edges' || one.name.value === 'node') {
        const ids = argument(one, 'ids', variables);
        return Array.isArray(ids) ? ids.length * (1 + inside) : 1 + inside;
      }
      const first = argument(one, 'first', variables);
      return typeof first === 'number' ? 2 + first * inside : 1 + inside;
    })
    .reduce((sum, cost) => sum + cost, 0);
}

function argument(field: FieldNode, name: string, variables: Readonly<Record<string, unknown>>): unknown {
  const value = field.arguments?.find((one) => one.name.value === name)?.value;
  if (value === undefined) return undefined;
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  return value.kind === Kind.INT ? Number(value.value) : undefined;
}
