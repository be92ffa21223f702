import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly privileged?: boolean;
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const services = Object.entries(compose.services);

describe.each(services)('the container %s', (name, service) => {
  it('can do no more than it needs', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
    });
    expect(service.privileged).toBeUndefined();
    const needed = { proxy: ['NET_BIND_SERVICE'], clickhouse: ['IPC_LOCK', 'NET_ADMIN', 'SYS_NICE'] };
    expect(service.cap_add).toEqual(needed[name as keyof typeof needed]);
  });

  it('is in the networks that it needs', () => {
    const both = ['front', 'back'];
    expect(service.networks).toEqual({ proxy: ['front'], server: both, sync: both }[name] ?? ['back']);
    expect(service.ports !== undefined).toBe(name === 'proxy');
  });
});

it('the networks of the databases have no way out', () => {
  expect(compose.networks.back).toEqual({ internal: true });
});

it('the image runs as a user that is not root', () => {
  const users = [...readFileSync('Dockerfile', 'utf8').matchAll(/^USER (.+)$/gm)];
  expect(users.at(-1)?.[1]).toBe('1000:1000');
});
