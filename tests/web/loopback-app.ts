import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App } from '../oauth/app.ts';

/** An app on this computer, with the page where the browser ends. */
export interface LoopbackApp {
  readonly app: App;
  /** What the browser brought, in order. */
  readonly answers: readonly URL[];
  close(): Promise<void>;
}

export async function startLoopbackApp(issuer: string): Promise<LoopbackApp> {
  const answers: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/callback') answers.push(url);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>The app</title><p>Back at the app.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    app: await App.register(issuer, redirectUri),
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
