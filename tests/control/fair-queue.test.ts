import { expect, it } from 'vitest';
import { FairQueue, QueueFullError } from '../../src/control/limits/fair-queue.ts';

/** A queue whose pieces of work end when a test says so; `done` is the order in which they did. */
function openQueue(mostOfOne: number, mostInAll: number) {
  const queue = new FairQueue({ mostOfOne, mostInAll });
  const done: string[] = [];
  const { promise: start, resolve: open } = Promise.withResolvers<void>();
  const ask = (key: string, name = key, isKnown = false) =>
    queue
      .run({ key, isKnown }, async () => {
        await start;
        done.push(name);
        return name;
      })
      .catch((error: unknown) => {
        if (error instanceof QueueFullError) return 'refused';
        throw error;
      });
  return { ask, open, done };
}

it('lets those who ask take turns', async () => {
  const { ask, open, done } = openQueue(10, 100);
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name));
  open();
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('lets known ones wait for one stranger at most', async () => {
  const { ask, open, done } = openQueue(10, 100);
  const asked = ['a', 'b', 'c', 'd'].map((name) => ask(name));
  asked.push(ask('device', 'known 1', true), ask('device', 'known 2', true));
  open();
  await Promise.all(asked);
  expect(done).toEqual(['a', 'b', 'known 1', 'c', 'known 2', 'd']);
});

it('refuses what is too much of one, and nothing of another', async () => {
  const { ask, open } = openQueue(2, 100);
  const asked = ['a', 'a', 'a', 'a', 'a', 'b'].map((name) => ask(name));
  open();
  // One is under way, two wait.
  expect(await Promise.all(asked)).toEqual(['a', 'a', 'a', 'refused', 'refused', 'b']);
});

it('is full at the cost of whoever waits for most', async () => {
  const { ask, open, done } = openQueue(10, 4);
  const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'd1'].map((name) => ask(name.charAt(0), name));
  open();
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'refused', 'refused', 'refused', 'b1', 'c1', 'd1']);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
});

it('is full for who comes late where all wait for one', async () => {
  const { ask, open } = openQueue(10, 2);
  const asked = ['a', 'b', 'c', 'd', 'b'].map((name) => ask(name));
  open();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'refused', 'refused']);
});

it('goes on after work that failed, and tells only who asked for it', async () => {
  const queue = new FairQueue({ mostOfOne: 1, mostInAll: 1 });
  const asker = { key: 'a', isKnown: false };
  const failed = queue.run(asker, () => Promise.reject(new Error('broken')));
  const next = queue.run(asker, async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
