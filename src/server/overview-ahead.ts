import type { Logger } from 'pino';
import { findBusiness } from '../control/businesses/businesses.ts';
import { readUpload } from '../control/businesses/uploads.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { operatorCaller } from '../control/people/callers.ts';
import type { ToolEnvironment } from '../mcp/run-tool.ts';
import { ENGLISH } from '../messages/messages.ts';
import { readAsked } from '../overview/asked-overview.ts';
import { readOverview } from '../overview/read-overview.ts';
import type { RunImport } from '../uploads/import-queue.ts';

interface Ahead {
  readonly control: ControlDatabase;
  readonly environment: ToolEnvironment;
  readonly log: Logger;
  readonly stop: AbortSignal;
}

/**
 * An import after which the overview of its store is asked for, so that its answers are kept when somebody opens it: who publishes looks at the
 * numbers next. Nobody waits for it, and it is no part of anybody's share.
 */
export function withOverviewAhead(runImport: RunImport, ahead: Ahead): RunImport {
  return async (run, stop) => {
    await runImport(run, stop);
    askAhead(run.upload_id, ahead).catch((error: unknown) =>
      ahead.log.debug({ err: error }, 'an overview was not asked for ahead'),
    );
  };
}

async function askAhead(uploadId: string, { control, environment, stop }: Ahead): Promise<void> {
  const upload = await readUpload(control, uploadId);
  if (upload !== null) await askOverviewAhead(environment, control, upload.business_id, stop);
}

/** Asks what the overview asks that opens without any choice of days. */
export async function askOverviewAhead(
  environment: ToolEnvironment,
  control: ControlDatabase,
  businessId: string,
  stop?: AbortSignal,
): Promise<void> {
  const business = await findBusiness(control, businessId);
  await readOverview(environment, operatorCaller(control), business, readAsked({}), ENGLISH, stop);
}
