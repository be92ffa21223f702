import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { CLIENT_APPS, type Machine, type Server } from '../../../src/cli/connect/client-apps.ts';
import { withServer } from '../../../src/cli/connect/edit-settings.ts';

const JSON_PLACE = { format: 'json', servers: ['mcpServers'] } as const;
const TOML_PLACE = { format: 'toml', servers: ['mcp_servers'] } as const;
const ENTRY = { url: 'http://127.0.0.1:8787/mcp' };

const SERVER: Server = {
  url: ENTRY.url,
  command: { command: 'node', args: ['main.js', 'stdio'], env: { STORESIGHT_DATA: '/data' } },
};

describe('JSON', () => {
  it('keeps comments, other servers, tabs, line ends and the mark at the beginning', () => {
    const text =
      '\uFEFF{\r\n\t// mine\r\n\t"theme": "dark",\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }, // why\r\n\t},\r\n}\r\n';
    const after = withServer(text, JSON_PLACE, ENTRY);
    for (const part of ['\uFEFF{', '// mine', '// why', '"command": "x"', '\t"theme"'])
      expect(after).toContain(part);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parse(after.slice(1), [], { allowTrailingComma: true })).toEqual({
      theme: 'dark',
      mcpServers: { other: { command: 'x' }, storesight: ENTRY },
    });
  });

  it('replaces what was there under our name, and nothing when it is the same', () => {
    const old = '{"mcpServers": {"storesight": {"url": "http://old/mcp", "headers": {"a": "b"}}}}';
    const after = withServer(old, JSON_PLACE, ENTRY);
    expect(JSON.parse(after)).toEqual({ mcpServers: { storesight: ENTRY } });
    expect(withServer(after, JSON_PLACE, ENTRY)).toBe(after);
  });

  it.each([
    ['{"mcpServers": ', 'is not valid JSON'],
    ['[]', 'holds no object at its root'],
    ['{"mcpServers": []}', 'holds no object at mcpServers'],
    ['{"mcpServers": null}', 'holds no object at mcpServers'],
  ])('refuses %s', (text, message) => {
    expect(() => withServer(text, JSON_PLACE, ENTRY)).toThrow(message);
  });

  it('changes our entry alone in any settings', () => {
    const settings = fc.dictionary(
      fc.string().filter((key) => key !== 'mcpServers' && key !== '__proto__'),
      fc.jsonValue(),
    );
    const indents = fc.constantFrom(undefined, 2, 4, '\t');
    fc.assert(
      fc.property(settings, indents, fc.boolean(), (others, indent, hasServers) => {
        const before = { ...others, ...(hasServers && { mcpServers: { other: { url: 'https://x' } } }) };
        const after = withServer(JSON.stringify(before, null, indent), JSON_PLACE, ENTRY);
        const servers = hasServers ? { other: { url: 'https://x' } } : {};
        expect(JSON.parse(after)).toEqual(
          JSON.parse(JSON.stringify({ ...others, mcpServers: { ...servers, storesight: ENTRY } })),
        );
        const taken = JSON.parse(withServer(after, JSON_PLACE, undefined));
        expect(taken).toEqual(JSON.parse(JSON.stringify({ ...others, mcpServers: servers })));
      }),
    );
  });
});

describe('TOML', () => {
  const OTHERS = 'model = "gpt-5.5" # mine\n\n[mcp_servers.other]\ncommand = "x"\n';
  const OURS = '[mcp_servers.storesight]\nurl = "http://127.0.0.1:8787/mcp"\n';

  it('writes a table of its own, and takes it out again', () => {
    const after = withServer(OTHERS, TOML_PLACE, ENTRY);
    expect(after).toBe(`${OTHERS}\n${OURS}`);
    expect(withServer(after, TOML_PLACE, ENTRY)).toBe(after);
    expect(withServer(after, TOML_PLACE, undefined).trimEnd()).toBe(OTHERS.trimEnd());
  });

  it.each([
    ['plain', '[mcp_servers.storesight]'],
    ['quoted, with spaces and a comment', ' [ mcp_servers . "storesight" ]  # ours'],
  ])('replaces our table where its name is %s', (_title, header) => {
    const sub = '[mcp_servers.storesight.env]\nA = "b"\n';
    const text = `${header}\nurl = "http://old/mcp"\n\n${sub}\n[tools]\nx = 1\n`;
    expect(withServer(text, TOML_PLACE, ENTRY)).toBe(`${OURS}\n[tools]\nx = 1\n`);
    expect(withServer(text, TOML_PLACE, undefined)).toBe('[tools]\nx = 1\n');
  });

  it('leaves a table alone whose name only begins like ours', () => {
    const text = '[mcp_servers.storesight2]\nurl = "http://two/mcp"\n';
    expect(withServer(text, TOML_PLACE, undefined)).toBe(text);
    expect(withServer(text, TOML_PLACE, ENTRY)).toBe(`${text}\n${OURS}`);
  });

  it.each(['mcp_servers = { other = { command = "x" } }', 'mcp_servers.other.command = "x"'])(
    'refuses %s, which a table would contradict',
    (text) => {
      expect(() => withServer(text, TOML_PLACE, ENTRY)).toThrow('does not write mcp_servers as tables');
    },
  );
});

describe('each client', () => {
  const MACHINES: readonly Machine[] = [
    { platform: 'linux', home: '/home/a', env: {} },
    { platform: 'darwin', home: '/Users/a', env: {} },
    { platform: 'win32', home: 'C:\\Users\\a', env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' } },
  ];

  it.each(CLIENT_APPS.map((app) => [app.id, app] as const))('%s is written and taken out', (_id, app) => {
    const after = withServer('', app, app.entry(SERVER));
    const told = app.id === 'claude-desktop' ? 'STORESIGHT_DATA' : SERVER.url;
    expect(after).toContain(told);
    expect(withServer(after, app, undefined)).not.toContain('storesight');
    for (const machine of MACHINES) expect(app.file(machine)).toContain(machine.home);
  });

  it('has a name and a file of its own', () => {
    const [linux] = MACHINES as [Machine];
    for (const values of [CLIENT_APPS.map(({ id }) => id), CLIENT_APPS.map(({ file }) => file(linux))])
      expect(new Set(values).size).toBe(CLIENT_APPS.length);
    expect(CLIENT_APPS.length).toBeGreaterThanOrEqual(8);
  });
});
