import { expect, it } from 'vitest';
import { formatOf, readsInShort } from '../../src/sources/formats.ts';
import { knownSources } from '../../src/sources/mapping/known-sources.ts';

const KNOWN = knownSources([], new Map());
const named = (name: string) => {
  const source = KNOWN.find((each) => each.name === name);
  if (source === undefined) throw new Error(`there is no source ${name}`);
  return source;
};

it('the list names the tables of a warehouse that are read, and what other files are made of', () => {
  expect(readsInShort(named('facebook-ads-fivetran'))).toBe(
    'tables basic_ad, ad_history, campaign_history, account_history',
  );
  expect(readsInShort(named('shopify-json'))).toBe('documents');
  expect(readsInShort(named('google-ads'))).toMatch(/^\d+ columns, in en, de, es, fr, pl, pt$/);
  expect(formatOf(named('meta-ads')).reads).toEqual(
    expect.arrayContaining(['Day', 'Campaign name', 'Amount spent (<currency>)', 'Link clicks']),
  );
});

it('the list says something of every source', () => {
  for (const source of KNOWN)
    expect(readsInShort(source), source.name).toMatch(/^(documents$|tables \w|[1-9])/);
});
