import { Writable } from 'node:stream';
import type { ToolEnvironment } from '../../src/asking/run-tool.ts';
import { type Business, PERMISSIONS, type Permission } from '../../src/business/business.ts';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { createToken } from '../../src/cli/token-commands.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { accountCaller } from '../../src/control/people/callers.ts';
import { tryHere } from '../../src/live/try-key.ts';
import { VENDORS } from '../../src/live/vendors/all-vendors.ts';
import { createMcpServer } from '../../src/mcp/mcp-server.ts';
import { readFindings } from '../../src/overview/findings.ts';
import { readOverview } from '../../src/overview/read-overview.ts';
import { salesFigure } from '../../src/overview/sales-figure.ts';
import { createHttpService, type HttpOptions } from '../../src/server/http.ts';
import { listen, type RunningServer } from '../../src/server/listen.ts';
import { createLog } from '../../src/server/log.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { readSettings } from '../../src/server/settings.ts';
import { ImportQueue } from '../../src/uploads/import-queue.ts';
import { runUpload } from '../../src/uploads/run-upload.ts';
import type { TestInstance } from '../support/test-instance.ts';

export interface TestServer extends RunningServer {
  /** Where it listens, when it is told to be reached elsewhere. */
  readonly listeningUrl: string;
  readonly metrics: Metrics;
  /** What was logged so far, at the most talkative level. */
  logText(): string;
}

/** Serves the data folder over real HTTP at a port that is free. */
export async function startTestServer(
  test: TestInstance,
  {
    environment = test.environment,
    ...options
  }: Partial<Omit<HttpOptions, 'metrics'>> & { readonly environment?: ToolEnvironment } = {},
): Promise<TestServer> {
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const log = createLog({ LOG_LEVEL: 'trace' }, stream);
  const metrics = new Metrics();
  let listeningUrl = '';
  const server = await listen(
    { ...readSettings({ STORESIGHT_PORT: '0' }), proxies: null },
    (baseUrl, door) => {
      listeningUrl = baseUrl;
      return createHttpService({
        door,
        control: test.instance.control,
        secret: test.instance.secret,
        data: test.instance.data,
        copier: test.instance.copier,
        uploadLimits: { file: 1e6, upload: 2e6, account: 4e6, all: 1e7, hours: 24 },
        // Imports run in this process: what a process of its own adds is tested by itself.
        imports: new ImportQueue(
          test.instance,
          (run, signal) => runUpload({ ...test.instance, signal }, run),
          log,
        ),
        vendors: VENDORS,
        allowsLoopback: true,
        tryKey: tryHere,
        salesOf: ({ account_id }, ...asked) =>
          salesFigure(environment, accountCaller(test.instance.control, account_id), ...asked),
        overviewOf: ({ account_id }, ...asked) =>
          readOverview(environment, accountCaller(test.instance.control, account_id), ...asked),
        findingsOf: ({ account_id }, ...asked) =>
          readFindings(environment, accountCaller(test.instance.control, account_id), ...asked),
        mcpServer: (caller, chosen) =>
          createMcpServer(environment, caller, log, {
            onCall: metrics.observeCall,
            websiteUrl: baseUrl,
            ...chosen,
          }),
        log,
        metrics,
        baseUrl,
        authUrl: baseUrl,
        allowedHosts: [],
        allowedOrigins: [],
        groups: ALL_GROUPS,
        extensions: [],
        rateLimit: 10_000,
        maxRequestBytes: 100_000,
        proxies: null,
        identityProvider: null,
        limits: { authorize: 10_000, token: 10_000, register: 10_000, registerInAll: 10_000 },
        ...options,
      });
    },
  );
  return { ...server, listeningUrl, metrics, logText: () => lines.join('') };
}

let accounts = 0;

/** An account with these permissions on these businesses, and a token for it. */
export async function signIn(
  test: Pick<TestInstance, 'instance'>,
  businesses: readonly Pick<Business, 'business_id'>[],
  options: {
    readonly permissions?: readonly Permission[];
    readonly allowlist?: readonly Pick<Business, 'business_id'>[];
  } = {},
): Promise<{ account_id: string; email: string; token: string }> {
  accounts += 1;
  const { control } = test.instance;
  const account = await createAccount(control, { email: `person-${accounts}@example.com`, password: null });
  for (const { business_id } of businesses) {
    await grantAccess(control, account.account_id, business_id, options.permissions ?? PERMISSIONS);
  }
  const { access_token } = await createToken(test.instance, {
    account: account.email,
    businesses: options.allowlist?.map(({ business_id }) => business_id).join(',') ?? 'all',
    // Longer than the longest attack.
    ttl: 86_400,
  });
  return { ...account, token: access_token };
}
