import { expect } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { ofAnybody } from './of-anybody.ts';
import type { TestInstance } from './test-instance.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * That the tool, asked without hiding of few people, gives what the oracle does; where no row of that has a
 * value in the column sorted by, that it says so.
 *
 * @returns the notes, null where there is no answer
 */
export async function expectAnswer(
  test: TestInstance,
  tool: string,
  args: object,
  expected: object,
): Promise<readonly string[] | null> {
  const { sort_by, offset = 0 } = args as Values;
  const list = CATALOGUE.find(({ name }) => name === tool)?.rows?.list;
  const [first] = ((expected as Values)[list ?? ''] ?? []) as Values[];
  const asked = test.run(ofAnybody(tool), args as never);
  if (typeof sort_by === 'string' && offset === 0 && first?.[sort_by] === null) {
    await expect(asked).rejects.toThrow(`sort_by is ${sort_by}, which is null in all rows`);
    return null;
  }
  const { result, notes = [] } = await asked;
  expect(result, `${tool} ${JSON.stringify(args)}`).toEqual(expected);
  return notes;
}
