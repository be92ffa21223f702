import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CANONICAL_TABLES } from '../../store/tables/all-tables.ts';
import { type Access, type Download, type Page, type Stream, type Vendor, VendorError } from '../vendor.ts';

/** What a server answered about the file that was imported last. */
interface Version {
  /** A digest of the address: shows that it changed without revealing it. */
  readonly of?: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

const MOST_REDIRECTS = 3;

/** A file that somebody keeps up to date at an address: a permalink of Shoptet's exports, a product feed. */
const file: Stream = {
  name: 'file',
  // The files are recognised by what they hold.
  landsAs: '',
  async *read(access, cursor): AsyncGenerator<Page> {
    const before = (cursor ?? {}) as Version;
    const of = digestOf(access.secret('address'));
    const answer = await ask(access, before.of === of ? before : {});
    if (answer.status === 304) return;
    const { response } = answer;
    const [etag, lastModified] = [response.headers.get('etag'), response.headers.get('last-modified')];
    const version: Version = {
      of,
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { lastModified }),
    };
    yield { rows: [], downloads: [await openDownload(response, answer.url)], cursor: { ...version } };
  },
};

export const url: Vendor = {
  name: 'url',
  title: 'A file at an address',
  settings: z.object({}),
  secrets: {
    // Whoever knows a permalink can read what is there.
    address: {
      title: 'Address of the file',
      description: 'the address of the file, beginning with https://',
    },
  },
  streams: [file],
  check: async (access) => {
    const answer = await ask(access, {});
    if (answer.status !== 304) await answer.response.body?.cancel();
    return { account: new URL(access.secret('address')).hostname, missing: [] };
  },
};

type Answer =
  | { readonly status: 304 }
  | { readonly status: 200; readonly response: Response; readonly url: URL };

function digestOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 12);
}

/** @throws VendorError */
async function ask(access: Access, { etag, lastModified }: Version): Promise<Answer> {
  let address = readAddress(access.secret('address'));
  for (let redirects = 0; ; redirects += 1) {
    const headers = new Headers();
    if (etag !== undefined) headers.set('if-none-match', etag);
    else if (lastModified !== undefined) headers.set('if-modified-since', lastModified);
    const response = await access.fetchFile(new Request(address, { headers }));
    if (response.status === 200) return { status: 200, response, url: address };
    await response.body?.cancel();
    if (response.status === 304) return { status: 304 };
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null)
      throw refused(address.hostname, response, access.now());
    if (redirects === MOST_REDIRECTS)
      throw new VendorError(
        'bad_answer',
        `${address.hostname} redirects again and again: open the address in a browser, and give the one where the file is in the end`,
      );
    address = readAddress(URL.parse(location, address.href)?.href ?? '');
  }
}

function readAddress(text: string): URL {
  const address = URL.parse(text.trim());
  if (address === null)
    throw new VendorError(
      'bad_answer',
      'the address of the file is not valid: give the whole of it, beginning with https://',
    );
  if (address.username !== '' || address.password !== '')
    throw new VendorError(
      'bad_answer',
      'the address of the file must hold no user and no password: give a link that works without them',
    );
  return address;
}

function refused(host: string, { status, headers }: Response, now: Date): VendorError {
  if (status === 401 || status === 403)
    return new VendorError(
      'unauthorized',
      `${host} refuses the address (status ${status}): make a new link there, and give it to this connection as its key`,
    );
  if (status === 404 || status === 410)
    return new VendorError(
      'unauthorized',
      `${host} has no file at the address any more (status ${status}): make a new link there, and give it to this connection as its key`,
    );
  const retryAt = readRetryAfter(headers.get('retry-after'), now);
  return new VendorError(
    status === 429 ? 'quota' : 'vendor_down',
    `${host} does not give the file now (status ${status})`,
    retryAt === null ? {} : { retryAt },
  );
}

/** The value is in seconds, or a date. */
function readRetryAfter(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return new Date(now.getTime() + 1000 * Number(text));
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : new Date(moment);
}

/** The bytes from which the kind of a file can be recognised. */
const BEGINNING = 512;

/** @throws VendorError when the answer is empty or a web page */
async function openDownload(response: Response, address: URL): Promise<Download> {
  const host = address.hostname;
  const reader = response.body?.getReader();
  // Chunk sizes are arbitrary: the first chunk may be a single byte.
  const first: Uint8Array[] = [];
  for (let size = 0; reader !== undefined && size < BEGINNING; ) {
    const { value, done } = await reader.read();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  if (reader === undefined || first.length === 0)
    throw new VendorError(
      'bad_answer',
      `${host} gave an empty file: make the export there again, or give the connection another link`,
    );
  const beginning = Buffer.concat(first)
    .subarray(0, BEGINNING)
    .toString('latin1')
    .replace(/^ï»¿/, '')
    .trimStart();
  if (/^<(!doctype html|html)/i.test(beginning)) {
    await reader.cancel();
    throw new VendorError(
      'bad_answer',
      `${host} gave a web page instead of a file: is the address that of the file, and does it open without signing in?`,
    );
  }
  let end = '';
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const kept = first.shift();
      const { value, done } = kept === undefined ? await reader.read() : { value: kept, done: false };
      if (value !== undefined) {
        end = (end + Buffer.from(value.subarray(-64)).toString('latin1')).slice(-64);
        controller.enqueue(value);
      }
      if (!done) return;
      // A server that says no length ends a whole file and half a file in the same way.
      if (beginning.startsWith('<') && !end.trimEnd().endsWith('>'))
        controller.error(
          new VendorError('bad_answer', `the file of ${host} was cut off; it is asked again later`),
        );
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { name: nameOf(address, beginning), content };
}

const EXTENSION = /\.(csv|tsv|txt|xml|json|jsonl|ndjson|xlsx|zip)(?:\.gz)?$/i;

/**
 * The name of a file, which tells only what kind it is: the rest of the address is the secret, and names
 * stand in messages.
 */
function nameOf({ pathname }: URL, beginning: string): string {
  const extension = EXTENSION.exec(pathname)?.[1]?.toLowerCase();
  const written = pathname.split('/').at(-1)?.split('.')[0];
  // Files of our own format are known by their names, which are no secrets.
  const base = CANONICAL_TABLES.find(({ name }) => name === written)?.name ?? 'file';
  const name = extension === undefined ? base : `${base}.${extension}`;
  // Readers tell packed files by their names.
  return beginning.startsWith('\x1f\x8b') ? `${name}.gz` : name;
}
