import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { ReasonError } from '../../errors.ts';
import type { ClientApp } from './client-apps.ts';

/** The name under which clients know this server. */
export const SERVER_NAME = 'storesight';

type Place = Pick<ClientApp, 'servers' | 'format'>;

/**
 * A client's settings with our server in them, or without it where `entry` is undefined. All else stays as it
 * was written, comments too.
 *
 * @param text of the file; empty where there is none
 * @example withServer('{}', { format: 'json', servers: ['mcpServers'] }, { url: 'http://127.0.0.1:8787/mcp'
 *   }) // '{"mcpServers": {"storesight": {"url": "http://127.0.0.1:8787/mcp"}}}' on several lines
 * @throws ReasonError where the text is not what the client reads
 */
export function withServer(text: string, place: Place, entry: Record<string, unknown> | undefined): string {
  return place.format === 'json' ? inJson(text, place.servers, entry) : inToml(text, place.servers, entry);
}

function inJson(
  text: string,
  servers: readonly string[],
  entry: Record<string, unknown> | undefined,
): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const whole = text.slice(mark.length);
  const known = whole.trim() === '' ? '{}\n' : whole;
  const errors: ParseError[] = [];
  const root = parseTree(known, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new ReasonError('is not valid JSON');
  for (let depth = 0; depth <= servers.length; depth++) {
    const way = servers.slice(0, depth);
    const node = findNodeAtLocation(root, way);
    if (node !== undefined && node.type !== 'object')
      throw new ReasonError(`holds no object at ${way.join('.') || 'its root'}`);
  }
  const path = [...servers, SERVER_NAME];
  const before = findNodeAtLocation(root, path);
  if (before === undefined && entry === undefined) return text;
  if (before !== undefined && JSON.stringify(getNodeValue(before)) === JSON.stringify(entry)) return text;
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(known),
    tabSize: /^( +)/m.exec(known)?.[1]?.length ?? 2,
    eol: known.includes('\r\n') ? '\r\n' : '\n',
  };
  return mark + applyEdits(known, modify(known, path, entry, { formattingOptions }));
}

/** A table of its own, so that nothing else of the file has to be understood. */
function inToml(
  text: string,
  servers: readonly string[],
  entry: Record<string, unknown> | undefined,
): string {
  const name = [...servers, SERVER_NAME].join('.');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const isOurs = (line: string) => {
    const table = tableOf(line);
    return table === name || table?.startsWith(`${name}.`) === true;
  };
  if (lines.some((line) => new RegExp(`^\\s*${servers.join('\\.')}\\s*(\\.|=)`).test(line)))
    throw new ReasonError(`does not write ${servers.join('.')} as tables`);
  const start = lines.findIndex(isOurs);
  const own =
    entry === undefined
      ? []
      : [`[${name}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)];
  if (start < 0) {
    if (entry === undefined) return text;
    const rest = text.trimEnd();
    return `${rest === '' ? '' : `${rest}${eol}${eol}`}${own.join(eol)}${eol}`;
  }
  const after = lines.slice(start + 1).findIndex((line) => tableOf(line) !== undefined && !isOurs(line));
  const end = after < 0 ? lines.length : start + 1 + after;
  const kept = lines.slice(start, end);
  if (
    entry !== undefined &&
    own.every((line, at) => line === kept[at]) &&
    kept.slice(own.length).every(isBlank)
  )
    return text;
  const gap = after < 0 ? [''] : own.length > 0 ? [''] : [];
  return [...lines.slice(0, start), ...own, ...gap, ...lines.slice(end)].join(eol);
}

/** `a.b` of the lines `[a.b]` and `[ a . "b" ]`. */
function tableOf(line: string): string | undefined {
  const header = line.trim();
  if (!header.startsWith('[') || !header.includes(']')) return undefined;
  return header
    .slice(0, header.indexOf(']'))
    .replaceAll('[', '')
    .split('.')
    .map((key) => key.trim().replace(/^["']/, '').replace(/["']$/, ''))
    .join('.');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
