import { expect, it } from 'vitest';
import { hasTooMuchOutsideArguments } from '../../src/mcp/message-limits.ts';

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

it.each([
  ['initialize', { capabilities: { experimental: names(9800) } }],
  ['initialize', { clientInfo: { icons: Array(9800).fill('') } }],
  ['ping', { _meta: names(9800) }],
  ['initialize', { capabilities: nested(9800) }],
  ['tools/call', { name: 'list_businesses', _meta: names(9800), arguments: {} }],
  ['prompts/get', { name: 'period_review', arguments: names(9800) }],
])('%s with more than any client sends is refused', (method, params) => {
  expect(hasTooMuchOutsideArguments(message(method, params))).toBe(true);
});

it.each([
  ['tools/call', { name: 'x', arguments: { external_product_ids: Array(5000).fill('1') } }],
  [
    'initialize',
    { capabilities: { experimental: { a: {} }, extensions: names(100) }, clientInfo: names(20) },
  ],
])('%s as clients send it is taken', (method, params) => {
  expect(hasTooMuchOutsideArguments(message(method, params))).toBe(false);
});
