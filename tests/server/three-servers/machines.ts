import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** A machine of its own, as far as a server on it can tell. */
export interface Machine {
  /** Where what runs on it listens. */
  readonly address: string;
  /** The address at which others reach it. */
  readonly neighbour: string;
  /** A command as it runs on this machine. */
  command(words: readonly string[]): readonly [string, readonly string[]];
  /** A URL of a server at 127.0.0.1, as it is reached from this machine. */
  reach(url: string): Promise<string>;
  /** Pulls its network cable, without a word to either side; or null where that cannot be done. */
  readonly unplug: (() => void) | null;
  plug(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const NAME = `st${process.pid}x`;

/**
 * The two addresses of a cable: a block of four of the addresses for measurements (RFC 2544), which no
 * network has. It is another one for each process, so that two runs on one computer do not meet.
 */
function addressesOf(number: number): readonly [neighbour: string, address: string] {
  const block = 4 * ((4 * process.pid + number) % 32_768);
  const [neighbour, address] = [1, 2].map(
    (end) => `198.${18 + (block >> 16)}.${(block >> 8) & 255}.${(block & 255) + end}`,
  );
  return [neighbour as string, address as string];
}

/** Whether this system lets us make network namespaces: of those that do, mostly root may. */
export const HAS_NAMESPACES = canMakeNamespaces();

/** Only another address of this computer. */
export function loopbackMachine(number: number): Machine {
  // Other systems than Linux have only the first one.
  const address = process.platform === 'linux' ? `127.0.0.${10 + number}` : '127.0.0.1';
  return {
    address,
    neighbour: '127.0.0.1',
    command: ([program = '', ...args]) => [program, args],
    reach: async (url) => url,
    unplug: null,
    plug: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A network namespace, with a cable to this computer. */
export function namespaceMachine(number: number): Machine {
  const name = `${NAME}${number}`;
  const cable = `${name}h`;
  const [neighbour, address] = addressesOf(number);
  const relays: Server[] = [];
  ip('netns', 'add', name);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('address', 'add', `${neighbour}/30`, 'dev', cable);
  ip('link', 'set', cable, 'up');
  ip('-n', name, 'address', 'add', `${address}/30`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
  return {
    address,
    neighbour,
    command: (words) => ['ip', ['netns', 'exec', name, ...words]],
    reach: async (url) => {
      const { hostname, port } = new URL(url);
      const relay = createServer((client) => {
        const upstream = connect(Number(port), hostname);
        client.pipe(upstream).pipe(client);
        client.on('error', () => upstream.destroy());
        upstream.on('error', () => client.destroy());
      }).listen(0, neighbour);
      relays.push(relay);
      await once(relay, 'listening');
      const reached = { hostname: neighbour, port: String((relay.address() as AddressInfo).port) };
      return Object.assign(new URL(url), reached).href;
    },
    unplug: () => ip('-n', name, 'link', 'set', 'eth0', 'down'),
    plug: () => ip('-n', name, 'link', 'set', 'eth0', 'up'),
    [Symbol.asyncDispose]: async () => {
      for (const relay of relays) relay.close();
      ip('netns', 'delete', name);
    },
  };
}

function canMakeNamespaces(): boolean {
  const name = `${NAME}try`;
  try {
    removeLeftovers();
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('netns', 'delete', name);
    return true;
  } catch {
    return false;
  }
}

/** A run that was killed leaves its namespaces, whose addresses might be those of a later run. */
function removeLeftovers(): void {
  for (const [name = '', pid] of ip('netns', 'list').matchAll(/^st(\d+)x\w+/gm))
    if (!existsSync(`/proc/${pid}`)) ip('netns', 'delete', name);
}

function ip(...words: string[]): string {
  return execFileSync('ip', words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}
