import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { workForParent } from '../../src/processes/work-for-parent.ts';

/** A program that works for its parent, on jobs that do what hostile answers make libraries do. */
const held: unknown[] = [];

await workForParent(async (given, { signal, note, log, whenTurn }) => {
  switch (given) {
    case 'answer':
      return { heard: given };
    case 'a search that does not end':
      for (;;);
    case 'buffers without end':
      for (;;) {
        held.push(Buffer.alloc(2 ** 24, 1));
        await setTimeout(1);
      }
    case 'objects without end':
      for (;;) held.push(Array.from({ length: 1000 }, (_, number) => ({ number, held })));
    case 'a wait without end':
      await setTimeout(1e9, undefined, { ref: true });
      return null;
    case 'work without end':
      for (;;) {
        const until = performance.now() + 20;
        while (performance.now() < until);
        await setTimeout(0);
      }
    case 'a log without end':
      for (;;) log.info({ text: 'x'.repeat(10_000) }, 'said');
    case 'thrown in an event': {
      const socket = new EventEmitter();
      socket.on('data', () => {
        throw new RangeError('planted-password of a row');
      });
      setImmediate(() => socket.emit('data'));
      return setTimeout(1e9);
    }
    case 'an end':
      process.exit(7);
      break;
    case 'a failure':
      throw new TypeError('it cannot be');
    case 'turns':
      await whenTurn(async () => note('in turn'));
      return 'had its turn';
    case 'until it is stopped':
      await setTimeout(1e9, undefined, { signal });
      return null;
    case 'not even when it is stopped':
      for (;;) await setTimeout(1000);
    case 'its number':
      return process.pid;
    default:
      throw new Error('there is no such job');
  }
});
