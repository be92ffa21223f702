import { lookup as lookupAddress } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { isLoopback } from '../network/loopback.ts';
import { isPublic, publicOnly } from '../network/public-addresses.ts';
import { notPublic } from './vendor-fetch.ts';

interface SocketOptions {
  /**
   * Whether this machine itself may be asked too, in tests and while developing. Nothing else that is private
   * may be.
   */
  readonly allowsLoopback?: boolean;
  /** Closes the socket. */
  readonly signal?: AbortSignal;
  readonly lookup?: LookupFunction;
}

/**
 * A socket for a client that speaks no HTTP. Whatever the client connects it to, it goes to the host alone,
 * and only where that is a public address: as for requests (`vendor-fetch.ts`), it is judged where the
 * connection takes it.
 *
 * @throws VendorError when the host is an address that is not public
 */
export function socketTo(
  host: string,
  { allowsLoopback = false, signal, lookup = lookupAddress }: SocketOptions = {},
): Socket {
  const isHere = allowsLoopback && isLoopback(host);
  if (!isHere && isIP(host) !== 0 && !isPublic(host)) throw notPublic(host);
  const socket = new Socket(signal === undefined ? {} : { signal });
  const connect = socket.connect.bind(socket);
  const connectToHost = (port: number) =>
    connect({ port, host, ...(isHere ? {} : { lookup: publicOnly(lookup) }) });
  return Object.assign(socket, { connect: connectToHost });
}
