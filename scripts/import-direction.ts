/** Imports in `src` point the way that ARCHITECTURE.md draws. */

/** Knows no store's data. */
const GROUND = ['business', 'time', 'statistics', 'text', 'sql'];

/** What each folder of `src` may import beside itself, `errors.ts` and `version.ts`. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'main-thread': [],
  messages: [],
  sql: ['text'],
  text: [],
  statistics: ['main-thread'],
  time: ['sql'],
  business: [],
  store: ['business', 'text'],
  'model-table': ['store', 'sql'],
  answers: ['main-thread', 'messages', 'business', 'time', 'statistics', 'sql'],
  charts: ['answers', 'messages'],
  domains: ['main-thread', 'answers', 'model-table', 'store', ...GROUND],
  control: ['text', 'business'],
  snapshot: ['text', 'domains', 'model-table', 'store', 'control', 'business'],
  ingest: ['text', 'snapshot', 'domains', 'store', 'control', 'business'],
  sources: ['text', 'ingest', 'snapshot', 'store', 'control', 'business'],
  import: ['sources', 'ingest', 'snapshot', 'store', 'control', 'business'],
  network: [],
  processes: [],
  live: [
    ...['main-thread', 'network', 'processes', 'uploads', 'import', 'sources', 'ingest'],
    ...['snapshot', 'store', 'control', 'text', 'business'],
  ],
  uploads: ['main-thread', 'text', 'import', 'sources', 'ingest', 'snapshot', 'store', 'control', 'business'],
  warehouse: ['main-thread', 'processes', 'answers', 'control', 'snapshot', 'model-table', 'store', 'sql'],
  'catalogue.ts': ['domains', 'answers', 'business'],
  resources: ['catalogue.ts', 'domains', 'answers', 'store', 'business'],
  prompts: ['text', 'domains', 'business', 'time'],
  asking: [
    'main-thread',
    'catalogue.ts',
    'domains',
    'answers',
    'charts',
    'model-table',
    'warehouse',
    'control',
    ...GROUND,
  ],
  mcp: [
    'asking',
    'main-thread',
    'catalogue.ts',
    'resources',
    'prompts',
    'domains',
    'answers',
    'charts',
    'warehouse',
    'control',
    'text',
    'sql',
    'business',
  ],
  overview: [
    'time',
    'messages',
    'asking',
    'domains',
    'catalogue.ts',
    'answers',
    'charts',
    'control',
    'business',
  ],
  oauth: ['network', 'control'],
  web: [
    'network',
    'main-thread',
    'messages',
    'text',
    'overview',
    'uploads',
    'live',
    'sources',
    'snapshot',
    'oauth',
    'control',
    'business',
    'charts',
  ],
  server: [
    'network',
    'processes',
    'main-thread',
    'messages',
    'asking',
    'mcp',
    'overview',
    'oauth',
    'web',
    'uploads',
    'live',
    'ingest',
    'snapshot',
    'control',
    'warehouse',
    'business',
  ],
  demo: ['import', 'snapshot', 'control', 'business'],
  tools: ['store'],
  cli: [
    'processes',
    'text',
    'messages',
    'catalogue.ts',
    'charts',
    'demo',
    'server',
    'oauth',
    'web',
    'overview',
    'asking',
    'mcp',
    'live',
    'uploads',
    'import',
    'sources',
    'ingest',
    'snapshot',
    'control',
    'business',
  ],
};

/** What each domain may import from others. Identity comes first; campaigns know nearly all. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  businesses: [],
  calendar: [],
  identity: [],
  orders: ['identity'],
  products: ['identity', 'orders'],
  traffic: ['identity', 'orders', 'calendar'],
  rfm: ['orders'],
  messages: ['identity', 'orders'],
  segments: ['products', 'rfm'],
  subscribers: ['identity', 'messages', 'rfm', 'segments'],
  profiles: ['identity', 'orders', 'products', 'traffic', 'messages', 'subscribers'],
  popups: ['identity', 'orders', 'messages', 'subscribers'],
  sql: [],
  insights: ['orders', 'products', 'traffic', 'messages', 'rfm', 'segments', 'calendar'],
  campaigns: ['identity', 'products', 'traffic', 'messages', 'subscribers', 'rfm', 'segments', 'popups'],
};

/** What a domain is made of, lowest first; files beside these folders are what several of its tools share. */
const LAYERS = ['definitions', 'tables', 'queries', '', 'tools'];

/**
 * The steps of an import in their order. `src/import/run.ts` hands each what the one before it returned, and
 * none knows another.
 */
const IMPORT_STEPS: readonly string[] = [
  'snapshot/lock-business.ts',
  'snapshot/begin-snapshot.ts',
  'sources/read-files.ts',
  'sources/translate-files.ts',
  'ingest/stage-batch.ts',
  'snapshot/merge-staged.ts',
  'snapshot/build-merged.ts',
  'snapshot/publish.ts',
  'snapshot/undo-snapshot.ts',
].map((step) => `src/${step}`);

/** Says whether a file of `src` or `tools` may import another one; type imports count. */
export function mayImport(file: string, target: string): boolean {
  const [from, to] = [folderOf(file), folderOf(target)];
  if (IMPORT_STEPS.includes(file) && IMPORT_STEPS.includes(target)) return false;
  if (to === 'errors.ts' || to === 'version.ts') return true;
  if (from === 'domains' && to === 'domains') {
    const [domain, other] = [file, target].map((path) => path.split('/')[2] ?? '') as [string, string];
    const [layer, below] = [layerOf(file), layerOf(target)];
    return below >= 0 && below <= layer && (domain === other || (DOMAINS[domain] ?? []).includes(other));
  }
  return from === to || (ALLOWED[from] ?? []).includes(to);
}

/**
 * The layer of a file of a domain, such as `src/domains/orders/queries/order-metrics.ts`. It is -1 in a
 * folder that is no layer.
 */
function layerOf(file: string): number {
  const [, , , folder = '', ...inside] = file.split('/');
  return LAYERS.indexOf(inside.length === 0 ? '' : folder);
}

/** The folder of a file within `src`, or within `tools` beside it. */
function folderOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second : first;
}
