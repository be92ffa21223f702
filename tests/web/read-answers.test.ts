import { expect, it } from 'vitest';
import { readSettings } from '../../src/web/read-answers.ts';

it('the schemas that are ticked, of whichever system, are one setting', () => {
  const fields = new FormData();
  for (const name of ['shopify_cz', 'klaviyo_cz']) fields.append('schema', name);
  const form = {
    text: (name: string) => String(fields.get(name) ?? ''),
    all: (name: string) => fields.getAll(name).map(String),
  };
  expect(readSettings(form, { timezone: 'UTC', schema: 'shopify_sk' }, [])).toEqual({
    timezone: 'UTC',
    schema: 'shopify_cz,klaviyo_cz',
  });
  fields.delete('schema');
  expect(readSettings(form, { schema: 'shopify_sk' }, [])).toEqual({ schema: 'shopify_sk' });
});
