import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { CONTRACT_TOOLS, FILTER_METRICS, INTEGERS } from './contract-facts.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly format?: string;
  readonly description?: string;
}

const toolOf = (name: string) => CATALOGUE.find((tool) => tool.name === name) as Tool;
/** What the server checks arguments and answers against; the list says less of them. */
const inputOf = (name: string): Schema => {
  const schema = z.toJSONSchema(toolOf(name).input, { io: 'input', reused: 'inline' }) as Schema;
  const properties = Object.entries(schema.properties ?? {}).map(([argument, { anyOf = [], ...own }]) => {
    // What may be null says so beside its other type.
    const type = [own.type, ...anyOf.map((one) => one.type)].flat().filter((one) => one !== undefined);
    return [argument, Object.assign({}, ...anyOf, own, { type: type.length === 1 ? type[0] : type })];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
};
const outputOf = (name: string) =>
  z.toJSONSchema(toolOf(name).output, { io: 'output', reused: 'inline' }) as Schema;
/** `number`, or `number` and `null`. */
const typesOf = (schema: Schema): readonly unknown[] =>
  [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)].flat();
/** Null is not in the contract, but a false 0 is worse: docs/decisions/0191-money-of-other-currencies.md. */
const MONEY_OF_ORDERS =
  /^((new_|returning_)?orders_(revenues|average_order_value)|average_order_value|avg_order_value|estimated_revenue)$/;
const property = (schema: Schema, name: string) => schema.properties?.[name] as Schema;

describe.each(Object.entries(CONTRACT_TOOLS))('%s', (name, facts) => {
  const tool = CATALOGUE.find((candidate) => candidate.name === name);
  const row = () =>
    facts.rows === null ? outputOf(name) : (property(outputOf(name), facts.rows).items as Schema);

  it('has the group and the permission of the contract', () => {
    expect(tool?.group).toBe(facts.group);
    expect(tool?.scope === 'business' ? tool.permissions : null).toEqual(
      facts.permission && [facts.permission],
    );
  });

  it('takes the arguments of the contract, and requires no others', () => {
    expect(Object.keys(inputOf(name).properties ?? {})).toEqual(expect.arrayContaining([...facts.arguments]));
    expect([...(inputOf(name).required ?? [])].sort()).toEqual([...facts.required].sort());
    expect(inputOf(name).additionalProperties).toBe(false);
  });

  it('answers with the fields of the contract', () => {
    expect(Object.keys(row().properties ?? {})).toEqual(expect.arrayContaining([...facts.fields]));
    expect(row().additionalProperties).toBe(false);
    const top =
      facts.rows === null ? facts.fields : [...(facts.permission ? ['business_id'] : []), facts.rows];
    expect(Object.keys(outputOf(name).properties ?? {})).toEqual(expect.arrayContaining([...top]));
  });

  it('may answer null only where the contract allows it, and for money without an exchange rate', () => {
    const nullable = Object.entries(row().properties ?? {}).flatMap(([field, schema]) =>
      typesOf(schema).includes('null') && facts.fields.includes(field) ? [field] : [],
    );
    const money = facts.fields.filter((field) => MONEY_OF_ORDERS.test(field));
    expect(nullable.sort()).toEqual([...facts.nullable, ...money].sort());
  });

  it('answers integers where the contract has integers', () => {
    const isTrend = facts.rows === 'periods';
    for (const [field, schema] of Object.entries(row().properties ?? {})) {
      if (!facts.fields.includes(field)) continue;
      const isTotal = ['total_engagement_time_s', 'total_engagement_score'].includes(field);
      const isInteger = INTEGERS.includes(field) || (isTotal && !isTrend);
      expect(typesOf(schema).includes('integer'), field).toBe(isInteger);
    }
  });
});

describe('shared arguments', () => {
  it.each(CATALOGUE.map(({ name }) => name))('have the limits and defaults of the contract in %s', (name) => {
    const properties = inputOf(name).properties ?? {};
    if (properties.limit) {
      const maximum = name === 'subscriber_statistics' ? 200 : 1000;
      expect(properties.limit).toMatchObject({ minimum: 1, maximum, type: 'integer' });
    }
    if (properties.offset)
      expect(properties.offset).toMatchObject({ minimum: 0, default: 0, type: 'integer' });
    if (properties.sort_order) expect(properties.sort_order.enum).toEqual(['asc', 'desc']);
    if (properties.breakdown) {
      const { breakdown } = properties;
      expect(breakdown.enum ?? breakdown.anyOf?.[0]?.enum).toEqual(['day', 'week', 'month']);
    }
    for (const date of [properties.from_date, properties.to_date]) {
      if (date === undefined) continue;
      expect(date.format).toBe('date-time');
      expect(typesOf(date)).toContain('string');
    }
  });

  it.each(['product_statistics', 'category_statistics', 'brand_statistics', 'master_product_statistics'])(
    'are those of the contract in the listing %s',
    (name) => {
      const { limit, sort_by, sort_order, filter_metrics } = inputOf(name).properties ?? {};
      expect(limit?.default).toBe(10);
      expect(sort_by?.default).toBe('unique_orders_count');
      expect(sort_order?.default).toBe('desc');
      expect(typesOf(filter_metrics as Schema)).toContain('null');
      const element = filter_metrics?.items as Schema;
      expect(property(element, 'metric').enum).toEqual(expect.arrayContaining(FILTER_METRICS));
      expect(element.required).toEqual(['metric']);
    },
  );

  it.each([
    ['product_statistics', 'price'],
    ['category_statistics', 'avg_price'],
    ['brand_statistics', 'products_count'],
    ['master_product_statistics', 'avg_gross_profit_margin'],
  ])('sort_by of %s accepts every number of a row, for example %s', (name, column) => {
    const rows = Object.values(outputOf(name).properties ?? {}).find(({ items }) => items)?.items;
    const numbers = Object.entries(rows?.properties ?? {}).flatMap(([field, schema]) =>
      typesOf(schema).some((type) => type === 'number' || type === 'integer') ? [field] : [],
    );
    const sortBy = toolOf(name).input.shape.sort_by as z.ZodType;
    const texts = Object.keys(rows?.properties ?? {}).filter((field) => !numbers.includes(field));
    expect(numbers.filter((field) => !sortBy.safeParse(field).success)).toEqual([]);
    expect([...texts, 'no_metric'].filter((field) => sortBy.safeParse(field).success)).toEqual([]);
    expect(numbers).toContain(column);
  });

  it.each(Object.keys(CONTRACT_TOOLS).filter((name) => name.endsWith('_trend') && !name.startsWith('order')))(
    'need at least one name in %s, and no empty one',
    (name) => {
      const entities = Object.values(inputOf(name).properties ?? {}).find(({ type }) => type === 'array');
      expect(entities).toMatchObject({ minItems: 1, items: { type: 'string', minLength: 1 } });
    },
  );
});
