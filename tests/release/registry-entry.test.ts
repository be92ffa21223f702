import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../scripts/release/manifest.ts';
import { readSettings } from '../../src/server/settings.ts';

/**
 * The rules of the registry's schema of 2025-12-11 and of its own checks that our entry could break, in our
 * words: the registry refuses an entry when it is published, which is too late.
 */
const entry = JSON.parse(readFileSync('server.json', 'utf8'));
const manifest = readManifest();
const [npm] = entry.packages;

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

describe('server.json', () => {
  it('is the package of this version, under the name by which the package says that it is it', () => {
    expect(entry.name).toBe(manifest.mcpName);
    expect(entry.version).toBe(manifest.version);
    expect(npm).toMatchObject({ identifier: manifest.name, version: manifest.version });
    expect(manifest.version).toMatch(EXACT_VERSION);
  });

  it('names are as long, and of the characters, that the registry takes', () => {
    expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.name.length).toBeLessThanOrEqual(200);
    for (const text of [entry.title, entry.description]) {
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(100);
    }
  });

  it('has the fields that are required, and addresses by https', () => {
    expect(Object.keys(entry)).toEqual(
      expect.arrayContaining(['$schema', 'name', 'description', 'version', 'packages']),
    );
    expect(Object.keys(npm)).toEqual(
      expect.arrayContaining(['registryType', 'identifier', 'version', 'transport']),
    );
    expect(npm).toMatchObject({ registryType: 'npm', transport: { type: 'stdio' } });
    for (const address of [entry.$schema, entry.repository.url, entry.websiteUrl])
      expect(new URL(address).protocol).toBe('https:');
    // A namespace of GitHub belongs to whom the repository belongs to.
    const [, owner] = /^io\.github\.([^/]+)\//.exec(entry.name) ?? [];
    expect(entry.repository).toEqual({
      url: expect.stringContaining(`github.com/${owner}/`),
      source: 'github',
    });
  });

  it('tells apps only variables that the program reads', () => {
    const read: string[] = [];
    readSettings(new Proxy({}, { get: (_, name) => void read.push(String(name)) }));
    const told = npm.environmentVariables.map(({ name }: { name: string }) => name);
    expect(told).not.toEqual([]);
    expect(told.filter((name: string) => !read.includes(name))).toEqual([]);
  });
});

it('package.json leads people to one repository', () => {
  const page = entry.repository.url;
  expect(manifest.repository.url).toBe(`git+${page}.git`);
  expect(manifest.bugs).toBe(`${page}/issues`);
  expect(manifest.homepage.startsWith(page)).toBe(true);
});
