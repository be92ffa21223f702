import { ALLOWED_STATEMENTS, REFUSED_STATEMENTS } from './statements.ts';

/** What a statement is made of that reads more than its tables, and what takes a parser off its way. */
const FRAGMENTS = [
  ...[
    'select',
    'from',
    'where',
    'union all',
    'with x as (',
    ')',
    '(',
    ',',
    ';',
    '--',
    '/*',
    '*/',
    "'",
    '"',
    '$$',
    "E'",
    '::',
    '.',
    '?',
    '$1',
    '#1',
  ],
  ...[
    'read_text',
    'read_csv',
    'read_parquet',
    'glob',
    'getenv',
    'current_setting',
    'duckdb_settings',
    'query',
    'query_table',
    'sniff_csv',
    'repeat',
  ],
  ...[
    "'/etc/passwd'",
    '"/etc/passwd"',
    "'*.parquet'",
    "'https://127.0.0.1/x'",
    'store.identities',
    'identities',
    'sqlite_master',
    'pg_class',
  ],
  ...[
    'information_schema.tables',
    'duckdb_views',
    'memory.main.orders',
    'main',
    'store',
    'system',
    'temp',
    'pg_catalog',
    'recurring.x',
  ],
  ...[
    'attach',
    'copy',
    'set',
    'pragma',
    'call',
    'install',
    'load',
    'export',
    'import',
    'create',
    'insert',
    'explain',
    'describe',
    'summarize',
    'show',
  ],
  ...[
    'lateral',
    'pivot',
    'unpivot',
    'columns(*)',
    'qualify',
    'asof join',
    'recursive',
    'materialized',
    'tablesample 10%',
    'at (version => 1)',
  ],
  ...[
    "'HOME'",
    '1e400',
    '999999999999999999999',
    '\u202e',
    'ﬁ',
    '\u00a0',
    '\n',
    '😀',
    'null',
    'current_user',
    'rowid',
    'filename',
    'x',
  ],
];

const SEEDS = [...ALLOWED_STATEMENTS.map(([sql]) => sql), ...REFUSED_STATEMENTS.map(([sql]) => sql)];

/**
 * The same statements in each run: the attackers' own, with parts taken out, doubled, exchanged, put in, and
 * put into each other.
 */
export function* mutatedStatements(count: number): Generator<string> {
  const random = drawsFrom(41);
  const upTo = (most: number) => Math.floor(random() * most);
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;
  const partsOf = (sql: string) => sql.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  const mutate = (sql: string): string => {
    const parts = partsOf(sql);
    const at = upTo(parts.length + 1);
    const others = partsOf(pick(SEEDS));
    const from = upTo(others.length + 1);
    switch (upTo(9)) {
      case 0:
        return parts.toSpliced(at, 1 + upTo(3)).join('');
      case 1:
        return parts.toSpliced(at, 0, ...parts.slice(at, at + 1 + upTo(4))).join('');
      case 2:
        return parts.toSpliced(at, 1, pick(parts.length === 0 ? FRAGMENTS : parts)).join('');
      case 3:
        return parts.toSpliced(at, 0, ' ', pick(FRAGMENTS), ' ').join('');
      case 4:
        return parts.toSpliced(at, 1, pick(FRAGMENTS)).join('');
      case 5:
        return [...parts.slice(0, at), ' ', ...others.slice(from)].join('');
      case 6:
        return `select * from (${sql}) as inner_${upTo(9)}`;
      case 7:
        return `with x as (${pick(SEEDS)}) ${sql}`;
      default:
        return `${sql} ${pick(['union all', 'union', 'except', 'intersect', ';', ','])} ${pick(SEEDS)}`;
    }
  };
  for (let made = 0; made < count; made += 1) {
    let sql = pick(SEEDS);
    for (let times = 1 + upTo(3); times > 0; times -= 1) sql = mutate(sql);
    yield sql;
  }
}

/** Even draws (mulberry32). */
function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
