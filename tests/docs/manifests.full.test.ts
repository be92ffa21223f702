import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readManifest } from '../../scripts/release/manifest.ts';
import { readSettings } from '../../src/server/settings.ts';

/** What `kubectl apply -k` would send, as the program itself makes it. */
const run = promisify(execFile);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

async function built(folder: string): Promise<readonly Manifest[] | string> {
  try {
    const { stdout } = await run('kubectl', ['kustomize', `deploy/kubernetes/${folder}`]);
    return parseAllDocuments(stdout).map((each) => each.toJS() as Manifest);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return 'kubectl is not installed';
    throw error;
  }
}

it.for([
  ['one-server', { server: 1 }],
  ['several-servers', { server: 3, worker: 1 }],
] as const)(
  'kustomize builds %s, all of it in one namespace and of this version',
  async ([folder, replicas], { skip }) => {
    const manifests = await built(folder);
    if (typeof manifests === 'string') return skip(manifests);
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(
      Object.fromEntries(deployments.map(({ metadata, spec }) => [metadata.name, spec?.replicas])),
    ).toEqual(replicas);
    const outside = manifests.filter(({ kind, metadata }) =>
      kind === 'Namespace' ? metadata.name !== 'storesight' : metadata.namespace !== 'storesight',
    );
    expect(outside).toEqual([]);
    const images = deployments.flatMap(
      ({ spec }) => spec?.template?.spec.containers.map(({ image }) => image) ?? [],
    );
    expect(images.every((image) => image.endsWith(`:${readManifest().version}`))).toBe(true);
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    expect(readSettings(settings).BASE_URL).toMatch(/^https:/);
  },
);
