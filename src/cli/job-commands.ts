import { availableParallelism, constants, setPriority } from 'node:os';
import type { Command } from 'commander';
import type { LiveJob } from '../live/job-kinds.ts';
import { type Job, workForParent } from '../processes/work-for-parent.ts';
import type { UploadJob } from '../server/import-process.ts';
import { openInstance } from '../server/instance.ts';
import { readSettings } from '../server/settings.ts';

/** What a server, a worker or a command starts for work with what strangers wrote. */
export function addJobCommands(program: Command): void {
  program
    .command('jobs', { hidden: true })
    .description('Work on the jobs that a process of Storesight gives')
    .action(async () => {
      await using opened = new OpenedOnce();
      await workForParent((given, job) => workOn(given as LiveJob | UploadJob, job, opened));
    });
}

/** Does a job, and loads only what it needs: a try of a key needs no engine. */
async function workOn(given: LiveJob | UploadJob, job: Job, opened: OpenedOnce): Promise<unknown> {
  if (given.do === 'upload') {
    // Calls of tools come first: a lower priority, and processors that it leaves alone.
    setPriority(constants.priority.PRIORITY_LOW);
    const importThreads = Math.max(1, Math.floor(availableParallelism() / 2));
    const { runUpload } = await import('../uploads/run-upload.ts');
    return runUpload({ ...(await opened.instance()), importThreads, signal: job.signal }, given);
  }
  const { workOnForget, workOnRun, workOnTry } = await import('../live/work-on-job.ts');
  const { VENDORS } = await import('../live/vendors/all-vendors.ts');
  if (given.do === 'try') return workOnTry(VENDORS, given, job);
  const instance = await opened.instance();
  return given.do === 'run'
    ? workOnRun(instance, VENDORS, given, job)
    : workOnForget(instance, VENDORS, given, job);
}

/** The data folder, from the first job on that needs it. */
class OpenedOnce implements AsyncDisposable {
  #instance: ReturnType<typeof openInstance> | undefined;

  instance(): ReturnType<typeof openInstance> {
    this.#instance ??= openInstance(readSettings(process.env));
    return this.#instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#instance)?.[Symbol.asyncDispose]();
  }
}
