import { expect, it } from 'vitest';
import { overviewPage } from '../../../src/web/pages/overview.ts';
import { anOverview, someNumbers } from './page-states.ts';

it('the overview is written in pieces: each of its pictures along time by itself', () => {
  const pieces = overviewPage({ ...anOverview, overview: someNumbers });
  let count = 1;
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) count += 1;
  expect(String(piece.value).match(/<svg[^>]* (?:id|class)=/g)?.length).toBeGreaterThan(3);
  expect(count).toBe(5);
});
