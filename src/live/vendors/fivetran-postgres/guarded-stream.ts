import { isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { VendorError } from '../../vendor.ts';
import { HEAD_BYTES, hasShape, isKind } from './protocol-messages.ts';

export interface GuardedOptions {
  /** The host, as messages name it. */
  readonly host: string;
  /** Null: no TLS, for servers on this machine only. */
  readonly tls: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> | null;
  /** The most bytes of one message, which the driver holds in memory as a whole. */
  readonly messageBytes: number;
}

/** The request for TLS: the length of the message, then PostgreSQL's number for it. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Stands between PostgreSQL's driver and a server that we do not trust. The driver gets only whole messages,
 * none larger than allowed or of a shape that it would never finish reading, and no more bytes of an answer
 * than its caller chose. If the driver throws while parsing, only this connection ends; uncaught in a socket
 * event, it would end the process.
 */
export class GuardedStream extends Duplex {
  readonly #socket: Socket;
  readonly #options: GuardedOptions;
  #under: Duplex;
  /** The parts of a message that has not fully arrived. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** How many bytes the parts must have before they are looked at again. */
  #wanted = HEAD_BYTES;
  #left = 0;

  constructor(socket: Socket, options: GuardedOptions) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#under = socket;
    this.#options = options;
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Lets this many bytes arrive from now on: those of an answer. */
  allow(bytes: number): void {
    this.#left = bytes;
  }

  /** Connects, as the driver tells a socket to. */
  connect(port: number): this {
    this.#socket.once('connect', () => this.#secure()).connect(port);
    return this;
  }

  setNoDelay(): this {
    this.#socket.setNoDelay();
    return this;
  }

  setKeepAlive(isOn: boolean): this {
    this.#socket.setKeepAlive(isOn);
    return this;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }

  #secure(): void {
    const { host, tls } = this.#options;
    if (tls === null) {
      this.#use(this.#socket);
      return;
    }
    this.#socket.once('data', (answer) => {
      // More than the one letter would be something that nobody encrypted, taken for what comes encrypted.
      if (answer.length !== 1 || answer[0] !== 0x53 /* S */) {
        const hasNone = answer.length === 1 && answer[0] === 0x4e; /* N */
        this.destroy(
          hasNone
            ? new VendorError(
                'vendor_down',
                `${host} has no TLS, and over a network it is read in no other way: switch it on there`,
              )
            : this.#refusal('answers as no PostgreSQL does when it is asked for TLS'),
        );
        return;
      }
      this.#socket.pause();
      const secured = connectTls({
        socket: this.#socket,
        host,
        ...tls,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      });
      secured.on('error', (error) => this.destroy(error));
      secured.once('secureConnect', () => this.#use(secured));
    });
    this.#socket.write(TLS_REQUEST);
  }

  #use(under: Duplex): void {
    this.#under = under;
    under.on('data', (bytes: Buffer) => this.#take(bytes));
    under.on('end', () => this.push(null));
    this.emit('connect');
  }

  #take(bytes: Buffer): void {
    this.#left -= bytes.length;
    if (this.#left < 0)
      return void this.destroy(this.#refusal('sends more for one question than the rows of a shop have'));
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    if (this.#partBytes < this.#wanted) return;
    const come = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts, this.#partBytes);
    let end = 0;
    this.#wanted = HEAD_BYTES;
    while (come.length - end >= HEAD_BYTES) {
      const kind = come.readUInt8(end);
      const length = come.readInt32BE(end + 1);
      const refusal = this.#refusalOf(kind, length);
      if (refusal !== null) return void this.destroy(refusal);
      const after = end + 1 + length;
      this.#wanted = 1 + length;
      if (after > come.length) break;
      if (!hasShape(kind, come.subarray(end + HEAD_BYTES, after)))
        return void this.destroy(this.#refusal('sends a message that ends elsewhere than it says'));
      end = after;
      this.#wanted = HEAD_BYTES;
    }
    const rest = come.subarray(end);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#partBytes = rest.length;
    if (end > 0 && !this.push(come.subarray(0, end))) this.#under.pause();
  }

  /** The refusal of a message before any of its body has come. */
  #refusalOf(kind: number, length: number): VendorError | null {
    if (!isKind(kind))
      return this.#refusal('sends a message that no PostgreSQL sends to a client that reads');
    if (length < HEAD_BYTES - 1) return this.#refusal('sends a message that is shorter than its own length');
    const { messageBytes } = this.#options;
    if (length <= messageBytes) return null;
    return this.#refusal(`sends a message of ${length} bytes, and ${messageBytes} are the most of one row`);
  }

  #refusal(why: string): VendorError {
    return new VendorError('bad_answer', `${this.#options.host} ${why}`);
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'data') return super.emit(event, ...(values as []));
    try {
      return super.emit(event, ...(values as []));
    } catch (error) {
      this.destroy(
        new VendorError('bad_answer', `${this.#options.host} answers as no PostgreSQL does`, {
          cause: error,
        }),
      );
      return true;
    }
  }

  override _read(): void {
    this.#under.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#under.write(chunk, encoding, (error) => done(error));
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#under.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#parts = [];
    this.#under.destroy();
    this.#socket.destroy();
    done(error);
  }
}
