import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readManifest, repositoryPage } from '../../scripts/release/manifest.ts';
import { programWith } from '../../src/cli/run-command-line.ts';
import { readSettings } from '../../src/server/settings.ts';

const FOLDER = 'deploy/kubernetes';
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds.
type Manifest = any;

const manifestsOf = (file: string): Manifest[] => parseAllDocuments(read(file)).map((each) => each.toJS());
const one = manifestsOf('one-server/storesight.yaml');
const several = manifestsOf('several-servers/worker.yaml');
const deployments = [...one, ...several].filter(({ kind }) => kind === 'Deployment');
const named = (kind: string) => one.find((each) => each.kind === kind);

describe.each(deployments.map((each): [string, Manifest] => [each.metadata.name, each]))(
  '%s',
  (name, deployment) => {
    const { spec } = deployment.spec.template;
    const [container, ...others] = spec.containers;

    it('can do no more than it needs', () => {
      expect(others).toEqual([]);
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      });
    });

    it('writes only to volumes that are there, and temporary ones have a size', () => {
      const volumes = new Map<string, Manifest>(spec.volumes.map((each: Manifest) => [each.name, each]));
      for (const mount of container.volumeMounts) expect(volumes.has(mount.name), mount.name).toBe(true);
      for (const { emptyDir } of volumes.values())
        if (emptyDir) expect(emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
    });

    it('runs a command that there is, and is selected by its own label', async () => {
      const [command, ...options] = container.args;
      const found = (await programWith()).commands.find((each) => each.name() === command);
      expect(found, command).toBeDefined();
      const known = found?.options.map(({ long }) => long) ?? [];
      expect(options.filter((option: string) => !known.includes(option))).toEqual([]);
      expect(deployment.spec.selector.matchLabels).toEqual({ app: name });
      expect(deployment.spec.template.metadata.labels).toEqual({ app: name });
    });
  },
);

it('settings are those that the program reads, and the address is that of the proxy', () => {
  const { data } = named('ConfigMap');
  expect(readSettings({ ...data }).BASE_URL).toBe(`https://${named('Ingress').spec.rules[0].host}`);
  expect(named('Ingress').spec.tls[0].hosts).toEqual([named('Ingress').spec.rules[0].host]);
  const names: string[] = [];
  readSettings(new Proxy({}, { get: (_, name) => void names.push(String(name)) }));
  const told = [...read('several-servers/kustomization.yaml').matchAll(/STORESIGHT_\w+/g)].map(
    ([name]) => name,
  );
  expect([...Object.keys(data), ...told].filter((name) => !names.includes(name))).toEqual([]);
});

it('calls alone are asked again of another one of several servers, under the same host', () => {
  const [mcp] = manifestsOf('several-servers/mcp-ingress.yaml');
  const { tls, rules } = named('Ingress').spec;
  expect(mcp.spec.tls).toEqual(tls);
  const [{ host, http }] = mcp.spec.rules;
  expect(host).toBe(rules[0].host);
  expect(http.paths).toEqual([{ ...rules[0].http.paths[0], path: '/mcp', pathType: 'Exact' }]);
  const retries = 'nginx.ingress.kubernetes.io/proxy-next-upstream';
  expect(mcp.metadata.annotations[retries].split(' ')).toContain('non_idempotent');
  expect(named('Ingress').metadata.annotations).toBeUndefined();
});

it('a balancer of HAProxy asks servers where they listen, and keeps connections for a shorter time than they', () => {
  const text = readFileSync('deploy/haproxy.cfg', 'utf8');
  const { PORT, KEEP_ALIVE_S } = readSettings({});
  const ports = [...text.matchAll(/^ +server \w+ [\d.]+:(\d+)$/gm)].map(([, port]) => Number(port));
  expect(ports).toEqual(Array(6).fill(PORT));
  expect(Number(/timeout http-keep-alive (\d+)s/.exec(text)?.[1])).toBeLessThan(KEEP_ALIVE_S);
  const backends = text.split(/^backend /m).slice(1);
  expect(backends.filter((each) => each.includes('empty-response')).map((each) => each.slice(0, 3))).toEqual([
    'mcp',
  ]);
});

it.each(['one-server', 'several-servers'])(
  '%s names files that are there, and the image of this version',
  (folder) => {
    const { resources, images } = parse(read(`${folder}/kustomization.yaml`));
    for (const resource of resources) expect(existsSync(join(FOLDER, folder, resource)), resource).toBe(true);
    const page = new URL(repositoryPage(readManifest()));
    expect(images).toEqual([
      { name: 'storesight', newName: `ghcr.io${page.pathname}`, newTag: readManifest().version },
    ]);
  },
);

it('everything that several servers change in the setup of one is there to be changed', () => {
  const { patches } = parse(read('several-servers/kustomization.yaml'));
  for (const { target, patch } of patches) {
    const manifest = one.find(({ kind, metadata }) => kind === target.kind && metadata.name === target.name);
    for (const { path } of parse(patch)) {
      const keys = path
        .split('/')
        .slice(1)
        .filter((key: string) => key !== '-');
      expect(
        keys.reduce((value: Manifest, key: string) => value?.[key], manifest),
        path,
      ).toBeDefined();
    }
  }
});
