/**
 * This state of the code and that of a commit, asked in turns: each tool on the made shop, in answers that
 * nobody asked before. Per tool the median of processor time and of time of each, and the ratio of processor
 * times: with other work on the machine times mean little.
 *
 *   npm run bench:compare <commit> [rounds; default 20]
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../src/version.ts';
import type { Costs } from './compared-state.ts';

/** A process that holds one state of the code with a made shop of its own. */
class State {
  readonly #process;

  constructor(tree: string, data: string) {
    const program = join(PACKAGE_FOLDER, 'bench', 'compared-state.ts');
    this.#process = fork(program, [tree, data], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  }

  async ask(): Promise<Costs> {
    this.#process.send('ask');
    const [costs] = await once(this.#process, 'message');
    return costs;
  }

  [Symbol.dispose](): void {
    this.#process.kill();
  }
}

const [commit = 'HEAD', rounds = '20'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'storesight-compare-'));
const before = join(folder, 'before');
const git = (...args: string[]) => execFileSync('git', args, { cwd: PACKAGE_FOLDER });
git('worktree', 'add', '--detach', before, commit);
try {
  symlinkSync(join(PACKAGE_FOLDER, 'node_modules'), join(before, 'node_modules'));
  using was = new State(before, join(folder, 'data-before'));
  using is = new State(PACKAGE_FOLDER, join(folder, 'data-now'));
  // The first round of each warms up.
  for (const state of [was, is]) await state.ask();
  const all: [Costs, Costs][] = [];
  for (let round = 0; round < Number(rounds); round += 1) all.push([await was.ask(), await is.ask()]);
  const [load = 0] = loadavg();
  console.log(`load ${load.toFixed(1)}, ${rounds} rounds; medians in ms: processor time, time`);
  console.log(`tool | ${commit} | now | ratio of processor times`);
  for (const tool of Object.keys(all[0]?.[1] ?? {})) {
    const of = (place: 0 | 1, kind: 'processor' | 'time') =>
      median(all.flatMap((pair) => pair[place][tool]?.[kind] ?? []));
    const shown = (place: 0 | 1) => `${of(place, 'processor').toFixed(1)}, ${of(place, 'time').toFixed(1)}`;
    const ratio = of(1, 'processor') / of(0, 'processor');
    console.log(`${tool} | ${shown(0)} | ${shown(1)} | ${ratio.toFixed(2)}`);
  }
} finally {
  git('worktree', 'remove', '--force', before);
  rmSync(folder, { recursive: true });
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
