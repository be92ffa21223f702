import { describe, expect, it } from 'vitest';
import type { Pieces } from '../../src/main-thread/pieces.ts';
import { atOnce, onePiece, Turns } from '../../src/main-thread/turns.ts';

/** The clock of the turns. It goes on with the work alone, so that a busy machine changes nothing. */
let milliseconds = 0;
const now = () => milliseconds;

/** Notes each of its pieces. */
function* noted(name: string, pieces: number, done: string[], millisecondsEach = 1): Pieces<string> {
  for (let piece = 0; piece < pieces; piece += 1) {
    done.push(name);
    milliseconds += millisecondsEach;
    yield;
  }
  return name;
}

describe('the turns on the main thread', () => {
  it('give the event loop back after each piece', async () => {
    const turns = new Turns(0, now);
    let ticks = 0;
    let isOver = false;
    const tick = () => {
      ticks += 1;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    await turns.run('ada', noted('a', 50, []));
    isOver = true;
    expect(ticks).toBeGreaterThanOrEqual(50);
  });

  it('let a small call of one account through between the pieces of another one', async () => {
    const turns = new Turns(0, now);
    const done: string[] = [];
    const long = Promise.all(Array.from({ length: 20 }, () => turns.run('ada', noted('a', 20, done))));
    while (done.length < 5) await new Promise(setImmediate);
    const before = done.length;
    await turns.run('bob', noted('b', 1, done, 0));
    expect(done.indexOf('b') - before).toBeLessThanOrEqual(2);
    await long;
    expect(done.filter((name) => name === 'a')).toHaveLength(400);
  });

  it('share the thread between accounts, however many calls each makes', async () => {
    const turns = new Turns(0, now);
    const done: string[] = [];
    const many = Promise.all(Array.from({ length: 10 }, () => turns.run('ada', noted('a', 10, done))));
    await turns.run('bob', noted('b', 20, done));
    const ofAda = done.filter((name) => name === 'a').length;
    expect(ofAda).toBeGreaterThan(5);
    expect(ofAda).toBeLessThan(60);
    await many;
  });

  it('remember what an account got while it has a request open', async () => {
    const turns = new Turns(0, now);
    const leave = turns.enter('ada');
    await turns.run('ada', noted('a', 10, []));
    const done: string[] = [];
    const leaveBob = turns.enter('bob');
    // Bob begins with as much as Ada has; then Ada, who does more, is behind.
    await turns.run('ada', noted('a', 5, []));
    await Promise.all([turns.run('ada', noted('a', 2, done)), turns.run('bob', noted('b', 2, done))]);
    expect(done).toEqual(['b', 'b', 'a', 'a']);
    leave();
    leaveBob();
  });

  it('end the calls of an account in the order in which they came', async () => {
    const turns = new Turns(0, now);
    const done: string[] = [];
    await Promise.all([
      turns.run('ada', noted('first', 3, done)),
      turns.run('ada', noted('second', 3, done)),
    ]);
    expect(done).toEqual(['first', 'first', 'first', 'second', 'second', 'second']);
  });

  it('give what the work gives, or throws, and end it when nobody waits for it any more', async () => {
    const turns = new Turns(2, now);
    expect(
      await turns.run(
        'ada',
        onePiece(() => 7),
      ),
    ).toBe(7);
    const failing = onePiece(() => {
      throw new Error('wrong');
    });
    await expect(turns.run('ada', failing)).rejects.toThrow('wrong');
    const client = new AbortController();
    const done: string[] = [];
    const gone = turns.run('ada', noted('a', 1000, done), client.signal);
    setImmediate(() => client.abort(new Error('gone')));
    await expect(gone).rejects.toThrow('gone');
    expect(done.length).toBeLessThan(1000);
    expect(turns.waiting).toBe(0);
  });

  it('tell whether only one account has requests open', async () => {
    const turns = new Turns();
    expect(turns.isAlone('ada')).toBe(true);
    const [leave, other] = [turns.enter('ada'), turns.enter('bob')];
    expect([turns.isAlone('ada'), turns.isAlone('bob')]).toEqual([false, false]);
    other();
    expect([turns.isAlone('ada'), turns.isAlone('bob')]).toEqual([true, false]);
    leave();
    expect(turns.isAlone('bob')).toBe(true);
  });

  it('are refused to an account of which too much waits, while others may come', async () => {
    const turns = new Turns();
    const waiting = Array.from({ length: 50 }, () => turns.run('ada', noted('a', 1, [], 0)));
    expect(turns.full('ada')).toBe('50 questions of this account wait for an answer already');
    expect(turns.full('bob')).toBeNull();
    const others = Array.from({ length: 450 }, (_, account) => turns.run(`${account}`, noted('c', 1, [], 0)));
    expect(turns.full('bob')).toBe('the server is busy with other questions');
    await Promise.all([...waiting, ...others]);
    expect(turns.full('ada')).toBeNull();
  });
});

it('all at once gives the same', () => {
  const done: string[] = [];
  expect(atOnce(noted('a', 3, done, 0))).toBe('a');
  expect(done).toHaveLength(3);
});
