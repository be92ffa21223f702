import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { klaviyo } from '../../src/live/vendors/klaviyo/klaviyo.ts';
import { NO_SAMPLES, samples } from '../sources/samples.ts';
import { COLLECTIONS, KEY, startKlaviyoStub } from './stubs/klaviyo/klaviyo-stub.ts';
import { MadeAccount } from './stubs/klaviyo/made-account.ts';
import { Landing } from './stubs/landing.ts';
import { seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
  readonly 'x-klaviyo-filters'?: Readonly<
    Record<string, { readonly operators: Readonly<Record<string, readonly string[]>> }>
  >;
  readonly 'x-klaviyo-scopes': readonly string[];
}

const file = samples('klaviyo-openapi').find(({ name }) => name.startsWith('stable-'));

/** Klaviyo's own description of its API. */
function openApi(path: string): { readonly operationOf: (list: string) => Operation; readonly ajv: Ajv } {
  const described = JSON.parse(readFileSync(path, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(withNulls(described) as object, 'klaviyo');
  return { operationOf: (list) => described.paths[`/api/${list}`].get, ajv };
}

/**
 * OpenAPI 3.0 says `nullable` where JSON Schema says that a type may be null. And this file has "one of"
 * where its alternatives are the same, of which nothing can be just one.
 */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, oneOf, ...others } = value as Record<string, unknown>;
  const rest = oneOf === undefined ? others : { ...others, anyOf: oneOf };
  const schema = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, withNulls(part)]));
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

const pointer = (list: string) =>
  `klaviyo#/paths/~1api~1${list}/get/responses/200/content/application~1vnd.api+json/schema`;

describe.skipIf(file === undefined)(`Klaviyo's OpenAPI file (skipped ${NO_SAMPLES})`, () => {
  let operationOf: (list: string) => Operation;
  let ajv: Ajv;

  // This does not run while cases are collected, which happens to skipped ones too.
  beforeAll(() => {
    ({ operationOf, ajv } = openApi(String(file?.path)));
  });

  it.each(Object.entries(COLLECTIONS))(
    'has what the stub has of %s',
    (list, { parameters, sort, filter, size, scope }) => {
      const operation = operationOf(list);
      const query = operation.parameters.filter((one) => one.in === 'query');
      expect(
        query
          .map(({ name }) => name)
          .filter((name) => name !== 'sort')
          .toSorted(),
      ).toEqual(parameters.filter((name) => name !== 'sort').toSorted());
      const schemaOf = (name: string) => query.find((one) => one.name === name)?.schema;
      // The stub may know fewer ways to sort and to filter, and none that are not there.
      for (const way of sort) expect(schemaOf('sort')?.enum).toContain(way);
      for (const [field, operators] of Object.entries(filter)) {
        const known = Object.values(operation['x-klaviyo-filters']?.[field]?.operators ?? {}).flat();
        expect(known).toEqual(expect.arrayContaining([...operators]));
      }
      const page = schemaOf('page[size]');
      expect([page?.default, page?.maximum]).toEqual([size?.fallback, size?.most]);
      expect(operation['x-klaviyo-scopes']).toEqual([scope]);
    },
  );

  it('allows all that the client asks for, and describes all that the stub answers', async () => {
    const random = seededRandom(1);
    const clock = new Clock('2026-11-22T12:00:00Z');
    const account = new MadeAccount(random, clock);
    account.fill({ profiles: 40, campaigns: 4 });
    await using stub = await startKlaviyoStub(account, random);
    stub.mostPerPage = 15;
    const access = stubAccess(clock, { settings: { host: stub.url.replace('http://', '') }, secrets: KEY });
    const answers: { readonly list: string; readonly body: unknown }[] = [];
    const fetched = access.fetch;
    access.fetch = async (request) => {
      const response = await fetched(request);
      answers.push({
        list: new URL(request.url).pathname.split('/').at(-1) ?? '',
        body: await response.clone().json(),
      });
      return response;
    };
    await klaviyo.check(access);
    for (let round = 0; round < 2; round += 1) {
      for (const stream of klaviyo.streams) {
        const landing = new Landing();
        await landing.runToEnd(stream, access);
        account.change();
        await landing.runToEnd(stream, access);
      }
    }
    expect(new Set(answers.map(({ list }) => list))).toEqual(new Set(Object.keys(COLLECTIONS)));
    for (const { list, body } of answers) {
      const isValid = ajv.getSchema(pointer(list));
      if (isValid === undefined) throw new Error(`no schema of ${list}`);
      expect([list, isValid(body), isValid.errors]).toEqual([list, true, null]);
    }
    for (const asked of new Set(stub.asked)) {
      const url = new URL(asked.replace(/^GET /, ''), 'http://stub');
      const { parameters } = operationOf(url.pathname.split('/').at(-1) ?? '');
      for (const [name, value] of url.searchParams) {
        const schema = parameters.find((one) => one.name === name)?.schema;
        if (schema === undefined) throw new Error(`no parameter ${name}: ${asked}`);
        const given =
          schema.type === 'array' ? value.split(',') : schema.type === 'integer' ? Number(value) : value;
        expect([asked, name, ajv.validate(withNulls(schema) as object, given)]).toEqual([asked, name, true]);
      }
      for (const { name, required, in: place } of parameters)
        if (required && place === 'query' && name === 'filter') expect(url.searchParams.has(name)).toBe(true);
    }
  });
});
