import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';

/**
 * What a tool must be given to answer on the hand-made shop: what is there, by the argument's name; of other
 * arguments the value of its declaration's `example`.
 */
export function sampleArguments(name: string, business_id: string): Record<string, unknown> {
  const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const known: Readonly<Record<string, unknown>> = {
    ...{ ...tool.example, ...HAND_MADE },
    ...{ business_id, business_ids: [business_id] },
  };
  return Object.fromEntries(
    requiredArguments(tool).map((argument) => {
      if (known[argument] === undefined) {
        throw new Error(`${name} needs ${argument}: give its declaration an example of it`);
      }
      return [argument, known[argument]];
    }),
  );
}

/** Those without which a call is refused. */
export function requiredArguments({ input }: Tool): string[] {
  return Object.entries(input.shape).flatMap(([argument, schema]) =>
    schema.safeParse(undefined).success ? [] : [argument],
  );
}

const HAND_MADE = {
  from_date: '2024-01-01T00:00:00',
  to_date: '2024-12-31T23:59:59',
  external_product_id: 'P1',
  external_product_ids: ['P1', 'P2'],
  external_master_product_ids: ['M1'],
  categories: ['Trička'],
  brands: ['Acme'],
  campaign_id: 'C1',
  campaign_ids: ['C1'],
  segment_id: 'S1',
  segment_query: {
    segments: [
      { targetingBlocks: [{ type: 'bought', of: { product: ['P1'] }, period: { last_days: 365 } }] },
    ],
  },
};
