import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ServerProcess {
  readonly server: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** The real server with the demo businesses, in a process of its own, once it answers. */
export async function startServer(folder: string, ...args: readonly string[]): Promise<ServerProcess> {
  const server = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...['src/cli/main.ts', 'serve', '--demo', '--port', '0'],
      ...args,
    ],
    {
      env: {
        ...process.env,
        STORESIGHT_DATA: join(folder, 'data'),
        STORESIGHT_LOG_LEVEL: 'silent',
        STORESIGHT_RATE_LIMIT: '100000000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  for await (const chunk of server.stdout ?? []) {
    output += chunk;
    const [url, token] = [/http:\S+\/mcp/, /eyJ\S+/].map((pattern) => pattern.exec(output)?.[0]);
    if (url !== undefined && token !== undefined && output.includes('Ctrl+C')) return { server, url, token };
  }
  throw new Error(`the server ended: ${output}`);
}
