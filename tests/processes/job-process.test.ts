import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { JobProcesses } from '../../src/processes/job-processes.ts';
import { EndedError, LimitError, type Limits } from '../../src/processes/limits.ts';

const PROGRAM = [fileURLToPath(new URL('misbehaving.ts', import.meta.url))];
const LIMITS: Limits = {
  ...{ residentMb: 400, seconds: 60, cpuSeconds: null, stuckCpuSeconds: 30, toldBytes: 100_000 },
};

let processes: JobProcesses | undefined;

afterEach(async () => {
  await processes?.[Symbol.asyncDispose]();
  processes = undefined;
});

const logged: string[] = [];
const add = (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`);
const log = { info: add, warn: add, error: add };

function run(
  job: string,
  limits: Partial<Limits> = {},
  more: Partial<Parameters<JobProcesses['run']>[1]> = {},
): Promise<unknown> {
  processes ??= new JobProcesses({ environment: {}, heapMb: 64, mostIdle: 1, program: PROGRAM });
  const { signal } = new AbortController();
  return processes.run(job, { limits: { ...LIMITS, ...limits }, signal, log, ...more });
}

const isAlive = (pid: unknown) => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

describe('a job in a process of its own', () => {
  it('gives what it comes to, and leaves its process to the next one', async () => {
    expect(await run('answer')).toEqual({ heard: 'answer' });
    expect(await run('its number')).toBe(await run('its number'));
    await expect(run('a failure')).rejects.toThrow('TypeError: it cannot be');
  });

  it.each<[string, Partial<Limits>, string]>([
    ['a search that does not end', { stuckCpuSeconds: 0.3 }, 'one thing of what it read'],
    ['buffers without end', { residentMb: 300 }, 'it needed more than 300 MB of memory'],
    ['objects without end', {}, 'did not fit into the memory'],
    ['a wait without end', { seconds: 1 }, 'it took longer than 1 seconds'],
    ['work without end', { cpuSeconds: 0.3 }, 'it computed for longer than 0.3 seconds'],
    ['a log without end', {}, 'it told more than 100000 bytes'],
  ])('is killed when it makes %s, and says which limit it was', async (job, limits, words) => {
    const failure = await run(job, limits).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LimitError);
    expect(String(failure)).toContain(words);
    expect(await run('answer')).toEqual({ heard: 'answer' });
  });

  it.each(['thrown in an event', 'an end'])('fails alone when it ends its process by %s', async (job) => {
    const failure = await run(job).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EndedError);
    expect(String(failure)).not.toContain('planted-password');
    expect((failure as Error).stack).not.toContain('planted-password');
    expect(await run('answer')).toEqual({ heard: 'answer' });
  });

  it('waits for its turn, and its time stands still meanwhile', async () => {
    const notes: unknown[] = [];
    const whenTurn = async <Result>(work: () => Promise<Result>) => {
      await setTimeout(2500);
      return work();
    };
    expect(await run('turns', { seconds: 2 }, { onNote: (note) => notes.push(note), whenTurn })).toBe(
      'had its turn',
    );
    expect(notes).toEqual(['in turn']);
  });

  it('ends when it is stopped, whether it wants to or not', async () => {
    for (const job of ['until it is stopped', 'not even when it is stopped']) {
      const pid = await run('its number');
      const stopping = new AbortController();
      const stopped = run(job, {}, { signal: stopping.signal }).catch((error: unknown) => error);
      await setTimeout(100);
      stopping.abort(new Error('enough'));
      expect(await stopped).toEqual(new Error('enough'));
      await expect.poll(() => isAlive(pid)).toBe(false);
    }
  });
});
