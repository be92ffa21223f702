import { Agent, request } from 'node:http';
import { workerData } from 'node:worker_threads';

/**
 * One thread of clients that ask for as much as they can, each in a loop until the thread is ended. They read
 * what is answered and throw it away, outside of the thread that measures.
 */

interface Abuse {
  readonly url: string;
  /** Each client's: its token, and what it sends, in turns. */
  readonly clients: readonly { readonly token: string; readonly bodies: readonly string[] }[];
}

const { url, clients } = workerData as Abuse;
const agent = new Agent({ keepAlive: true });

for (const { token, bodies } of clients) {
  void (async () => {
    for (let turn = 0; ; turn += 1) {
      const refused = await send(token, bodies[turn % bodies.length] as string).catch(() => true);
      // A client that is told to come back later does so, a little sooner than it was told.
      if (refused) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
}

function send(token: string, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode === 429 || response.statusCode === 503));
        response.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
