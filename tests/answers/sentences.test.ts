import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
import { sentenceOf, sentencesOf, worded } from '../../src/answers/sentences.ts';
import { ENGLISH } from '../../src/messages/messages.ts';
import { pageSentence } from '../../src/overview/page-sentences.ts';

it('a sentence that was pushed out of the memory is shown in English, and marked as such', () => {
  const text = worded('Days after 2026-03-31 are not judged.', 'note.watch-end', {
    day: { day: '2026-03-31' },
  });
  const read = (sentences = sentencesOf([text])) =>
    pageSentence(text, {
      sentences,
      messages: ENGLISH,
      store: {
        name: 'Shop',
        currency: 'EUR',
        timezone: 'UTC',
        locale: 'en',
        data_until: null,
        history_starts_at: null,
      },
    });
  expect(read().isEnglish).toBe(false);
  for (let index = 0; index < 20_000; index += 1) worded(`Another one, ${index}.`, 'note.no-visits');
  expect(sentenceOf(text)).toBeUndefined();
  expect(read()).toMatchObject({ isEnglish: true, text });
});

/** The calls of `worded` that run when their file is loaded, and not each time that a function is called. */
function calledAtLoad(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  if (Array.isArray(node)) return node.reduce((sum: number, each) => sum + calledAtLoad(each), 0);
  const { type, callee } = node as { readonly type?: string; readonly callee?: { readonly name?: string } };
  if (type?.includes('Function') === true) return 0;
  const own =
    type === 'CallExpression' && (callee?.name === 'worded' || callee?.name === 'wordedAround') ? 1 : 0;
  return own + calledAtLoad(Object.values(node));
}

it('no sentence is made when its file is loaded, since it would be pushed out for good', () => {
  const ast = (source: string) => parseAst(source, { lang: 'ts' });
  expect(calledAtLoad(ast("const NOTE = worded('No visits.', 'note.no-visits');"))).toBe(1);
  const files = globSync('src/**/*.ts').filter((file) =>
    readFileSync(file, 'utf8').includes("sentences.ts'"),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) expect([file, calledAtLoad(ast(readFileSync(file, 'utf8')))]).toEqual([file, 0]);
});
