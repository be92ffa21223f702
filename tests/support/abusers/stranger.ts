import { connect, type Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

/**
 * One thread of clients that nobody knows. Each connection sends its requests at once, and sends them again
 * when it was quiet for a moment or was closed, until the thread is ended.
 */

interface Strangers {
  readonly url: string;
  readonly connections: number;
  readonly atOnce: number;
  /** All of one request, as it goes through the socket. */
  readonly request: string;
}

const { url, connections, atOnce, request } = workerData as Strangers;
const { hostname, port } = new URL(url);
const sent = request.repeat(atOnce);

for (let connection = 0; connection < connections; connection += 1) open();

function open(): void {
  const socket: Socket = connect(Number(port), hostname, () => socket.write(sent));
  let answers = 0;
  socket.on('data', (bytes) => {
    answers += String(bytes).split('HTTP/1.1 ').length - 1;
    if (answers < atOnce) return;
    answers = 0;
    socket.write(sent);
  });
  socket.on('error', () => {});
  // This is no tight loop: a connection that is refused costs the machine of the server more than its client.
  socket.on('close', () => setTimeout(open, 20));
}
