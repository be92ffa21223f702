import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The processes that this one started and that have not ended, without the one that asks. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [own, parent, state = '', ...command] = line.trim().split(/\s+/);
    const isOther = Number(parent) !== pid || state.startsWith('Z') || command[0] === 'ps';
    return isOther ? [] : [Number(own)];
  });
}
