import { createServer, type Socket } from 'node:net';

/** What a server that calls itself PostgreSQL says once a client has begun to speak. */
export type Answer = (socket: Socket) => void;

export interface HostilePostgres extends AsyncDisposable {
  /** A client connects with it. */
  readonly connectionString: string;
  /** How many bytes clients have taken from it. */
  sent(): number;
}

/** Listens on loopback. It answers the first message of each client, whatever that is. */
export async function startHostilePostgres(answer: Answer): Promise<HostilePostgres> {
  const sockets = new Set<Socket>();
  let before = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      before += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    connectionString: `postgresql://reader:planted-password@127.0.0.1:${port}/shop`,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, before),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A message of the protocol, with the length that it has, or with one that it says it has. */
export function message(kind: string, body: string | Buffer = '', length?: number): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, kind);
  head.writeInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** The server asks for no password, and is ready. */
export const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);

/** Writes the same bytes for ever, as fast as the client takes them. */
export function endlessly(piece: Buffer, first: Buffer = Buffer.alloc(0)): Answer {
  return (socket) => {
    socket.write(first);
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', write);
    write();
  };
}

/** A server is ready, and answers every query with the same bytes. */
export function toEachQuery(bytes: Buffer): Answer {
  return (socket) => {
    socket.write(READY);
    socket.on('data', () => socket.write(bytes));
  };
}
