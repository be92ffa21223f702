import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Scheduler } from '../../src/warehouse/scheduling/scheduler.ts';
import { StoppingError } from '../../src/warehouse/warehouse.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const own = (account: string, question = 'quick', business = `shop of ${account}`) => ({
  account,
  business,
  question,
});

/** Work of `milliseconds` that ends when it is stopped; `log` gets its name when it starts and ends. */
function work(milliseconds: number, name = '', log: string[] = []) {
  return (stop: AbortSignal) => {
    log.push(`${name} starts`);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      log.push(`${name} ends`);
      resolve(name);
    }, milliseconds);
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      log.push(`${name} stops`);
      reject(new Error('interrupted'));
    });
    return promise;
  };
}

const schedulerOf = (slots: number) => new Scheduler({ slots, timeoutSeconds: 30 });

/** What became of each, as texts. */
function outcomes(jobs: readonly Promise<unknown>[]): Promise<string[]> {
  return Promise.all(jobs.map((job) => job.then(String, (error: Error) => error.message)));
}

it('an account never has the last slot, so that another starts at once', async () => {
  const scheduler = schedulerOf(4);
  const log: string[] = [];
  const many = Array.from({ length: 10 }, (_, job) =>
    scheduler.run(own('ada'), work(100, `ada ${job}`, log)),
  );
  const other = scheduler.run(own('ben'), work(10, 'ben', log));
  await vi.advanceTimersByTimeAsync(10);
  expect(await other).toBe('ben');
  expect(log).toEqual(['ada 0 starts', 'ada 1 starts', 'ada 2 starts', 'ben starts', 'ben ends']);
  expect(scheduler.state).toMatchObject({ running: { quick: 3, long: 0 }, waiting: 7 });
  await vi.runAllTimersAsync();
  expect(await outcomes(many)).toHaveLength(10);
});

it('a query that turns out to be long makes room for the quick, and is known next time', async () => {
  const scheduler = schedulerOf(4);
  const log: string[] = [];
  const long = ['a', 'b', 'c'].map((name) =>
    scheduler.run(own('ada', `long ${name}`), work(1000, name, log)),
  );
  await vi.advanceTimersByTimeAsync(300);
  // One goes on; the others begin anew, one after the other.
  expect(log).toEqual(['a starts', 'b starts', 'c starts', 'b stops', 'c stops']);
  expect(scheduler.state).toMatchObject({ running: { quick: 0, long: 1 }, waiting: 2, restarted: 2 });
  await vi.runAllTimersAsync();
  expect(await outcomes(long)).toEqual(['a', 'b', 'c']);

  log.length = 0;
  const again = ['a', 'b'].map((name) => scheduler.run(own('ada', `long ${name}`), work(1000, name, log)));
  const other = scheduler.run(own('ben', 'long'), work(1000, 'ben', log));
  await vi.advanceTimersByTimeAsync(300);
  expect(log).toEqual(['a starts', 'ben starts']);
  await vi.runAllTimersAsync();
  expect(await outcomes([...again, other])).toEqual(['a', 'b', 'ben']);
  expect(scheduler.state.restarted).toBe(2);
});

it('many accounts of one business leave a slot for long questions about another', async () => {
  const scheduler = schedulerOf(6);
  const log: string[] = [];
  const run = (account: string, business: string) =>
    scheduler.run(own(account, 'long', business), work(1000, `${account} on ${business}`, log));
  const first = run('ann', 'one');
  await vi.runAllTimersAsync();
  await first;
  log.length = 0;
  const jobs = [run('ann', 'one'), run('ben', 'one'), run('cid', 'one'), run('dan', 'two')];
  expect(log).toEqual(['ann on one starts', 'ben on one starts', 'dan on two starts']);
  await vi.runAllTimersAsync();
  await outcomes(jobs);
});

it('the one served least is next, by account and then by business', async () => {
  const scheduler = schedulerOf(1);
  const order: string[] = [];
  const run = (account: string, business: string, milliseconds: number) =>
    scheduler.run(own(account, 'quick', business), () => {
      order.push(business);
      return work(milliseconds)(new AbortController().signal);
    });
  const jobs = [
    ...[1, 2, 3].map(() => run('ada', 'large', 200)),
    ...[1, 2].map(() => run('ada', 'small', 20)),
    ...[1, 2, 3].map(() => run('ben', 'other', 50)),
  ];
  await vi.runAllTimersAsync();
  await outcomes(jobs);
  expect(order).toEqual(['large', 'other', 'other', 'other', 'small', 'small', 'large', 'large']);
});

it('a queue has an end for each account, and what waits too long is told so', async () => {
  const scheduler = schedulerOf(1);
  const stuck = scheduler.run(own('ada'), () => new Promise(() => {}));
  stuck.catch(() => {});
  const waiting = outcomes([
    ...Array.from({ length: 100 }, () => scheduler.run(own('ada'), work(1))),
    scheduler.run(own('ben'), work(1)),
  ]);
  await expect(scheduler.run(own('ada'), work(1))).rejects.toThrow(
    '100 questions of this account wait for an answer already; try again in a moment',
  );
  await vi.advanceTimersByTimeAsync(30_000);
  const busy = 'the server was busy with other questions for 30 s; try again in a moment';
  expect(new Set(await waiting)).toEqual(new Set([busy]));
  expect(scheduler.state).toMatchObject({ waiting: 0, refused: 102 });
});

it('a query that begins anew keeps its turn, and waits no longer than others', async () => {
  const scheduler = schedulerOf(4);
  const log: string[] = [];
  const run = (name: string) => scheduler.run(own('ada', `long ${name}`), work(20_000, name, log));
  const ended = outcomes(['a', 'b', 'c', 'd'].map(run));
  await vi.advanceTimersByTimeAsync(21_000);
  expect(log.filter((line) => line.endsWith('starts')).map((line) => line[0])).toEqual([
    ...['a', 'b', 'c', 'd', 'b'],
  ]);
  await vi.advanceTimersByTimeAsync(30_000);
  const busy = 'the server was busy with other questions for 30 s; try again in a moment';
  expect(await ended).toEqual(['a', 'b', busy, busy]);
});

it('a query that takes too long is stopped and told so', async () => {
  const scheduler = schedulerOf(1);
  const ended = outcomes([scheduler.run(own('ada'), work(40_000))]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await ended).toEqual(['the query took longer than 30 s; ask for a shorter range or fewer rows']);
});

it('a caller who leaves frees the slot or the place, also while the job is stopped to begin anew', async () => {
  const scheduler = schedulerOf(2);
  const log: string[] = [];
  const leaving = new AbortController();
  const jobs = [
    scheduler.run(own('ada', 'one'), work(1000, 'one', log), leaving.signal),
    scheduler.run(own('ada', 'two'), work(1000, 'two', log), leaving.signal),
    scheduler.run(own('ben', 'three'), work(1000, 'three', log), leaving.signal),
  ];
  const ended = outcomes(jobs);
  await vi.advanceTimersByTimeAsync(300);
  expect(log).toEqual(['one starts', 'three starts', 'three stops']);
  leaving.abort(new Error('left'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await ended).toEqual(['left', 'left', 'left']);
  expect(scheduler.state).toMatchObject({ running: { quick: 0, long: 0 }, waiting: 0 });
});

it('stops what runs and what waits, takes no more, and says when something did not end', async () => {
  const scheduler = schedulerOf(2);
  const ended = outcomes([1, 2, 3].map(() => scheduler.run(own('ada'), work(1000))));
  expect(await scheduler.stop()).toBe(true);
  const { message } = new StoppingError();
  expect(await ended).toEqual([message, message, message]);
  await expect(scheduler.run(own('ben'), work(1))).rejects.toThrow(message);

  const stuck = schedulerOf(2);
  const never = stuck.run(own('ada'), () => new Promise(() => {}));
  never.catch(() => {});
  const stopped = stuck.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await stopped).toBe(false);
});
