import { expect, it } from 'vitest';
import { PageTurns, TooManyPagesError } from '../../src/web/page-turns.ts';

const waiting = new AbortController().signal;

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasBegun = false;
  const work = () => {
    hasBegun = true;
    return promise;
  };
  return { work, end: resolve, hasBegun: () => hasBegun };
}

const soon = () => new Promise(setImmediate);

it('pages of one account are made one after the other, those of others beside them', async () => {
  const turns = new PageTurns();
  const [first, second, other] = [held(), held(), held()];
  const all = [
    turns.run('ada', waiting, first.work),
    turns.run('ada', waiting, second.work),
    turns.run('bob', waiting, other.work),
  ];
  await soon();
  expect([first, second, other].map((one) => one.hasBegun())).toEqual([true, false, true]);
  first.end();
  await soon();
  expect(second.hasBegun()).toBe(true);
  second.end();
  other.end();
  await Promise.all(all);
});

it('a page that fails does not hold up the next one', async () => {
  const turns = new PageTurns();
  const failing = turns.run('ada', waiting, () => Promise.reject(new Error('wrong')));
  const next = turns.run('ada', waiting, async () => 7);
  await expect(failing).rejects.toThrow('wrong');
  expect(await next).toBe(7);
});

it('eight pages of an account may wait, and one whose browser went away makes room at once', async () => {
  const turns = new PageTurns();
  const first = held();
  const gone = new AbortController();
  const running = turns.run('ada', waiting, first.work);
  const [left, after] = [held(), held()];
  const leaving = turns.run('ada', gone.signal, left.work);
  const others = Array.from({ length: 6 }, () => turns.run('ada', waiting, async () => {}));
  await expect(turns.run('ada', waiting, async () => {})).rejects.toThrow(TooManyPagesError);
  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  const last = turns.run('ada', waiting, after.work);
  await soon();
  expect(after.hasBegun()).toBe(false);
  first.end();
  await Promise.all([running, ...others]);
  await soon();
  expect([left.hasBegun(), after.hasBegun()]).toEqual([false, true]);
  after.end();
  await last;
});
