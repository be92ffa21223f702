import { columnsOfFile } from '../../store/canonical-table.ts';
import { literal } from '../../store/duckdb-session.ts';
import { plural } from '../../text/plural.ts';
import { statusQuestion, withMappedStatuses } from '../mapped-statuses.ts';
import { relationName } from '../relations.ts';
import type { Question, RawRows, Settings, Source } from '../source.ts';
import { dayQuestion, momentQuestions } from '../source-cells.ts';
import { currencySign, numberCell, numberDigits, numberParts } from './cell-sql.ts';
import { compile, isUnknown } from './expression-sql.ts';
import { filledBy, filledOnlyBy, isHeaderOf, MappedColumns } from './mapped-columns.ts';
import { orderFacts } from './mapped-facts.ts';
import {
  type Block,
  type ColumnName,
  type Condition,
  columnsIn,
  type Expression,
  type Mapping,
} from './mapping.ts';
import { UNIX_PATTERNS } from './patterns.ts';
import { refundsOfOwnRows, restOfRefunds } from './refund-rows.ts';
import { findingsOfShares, sharesDiscount, withSharedDiscount } from './shared-discount.ts';

/** The source that a mapping makes: as those that are built in, but declared by data. */
export function mappedSource(mapping: Mapping): Source {
  const columns = new MappedColumns(mapping);
  const relation = (table: string) => `"mapped_${relationName(mapping)}_${table}"`;
  /** The mapping with the tables that the files can fill. */
  const filled = (raw: RawRows): Mapping => ({
    ...mapping,
    blocks: mapping.blocks.filter((block, index) => index === 0 || columns.haveAllOf(block, raw)),
  });
  return {
    name: mapping.name,
    title: mapping.title,
    recognises: (header) => isHeaderOf(mapping, header),
    titles: mapping.titles,
    columns: columns.declared(
      (column) => {
        const without = filledBy(mapping.blocks, column);
        return without.length === 0 ? 'it is a condition' : `${without.join(', ')} without it`;
      },
      (column) => filledOnlyBy(mapping.blocks, column),
    ),
    comparesBefore: tablesOf(mapping).includes('refunds') || sharesDiscount(mapping),
    comparesBeside: sharesDiscount(mapping),
    absences: (present) => columns.absences(mapping.blocks, present),
    settings: ['timezone', 'dates', 'currency', 'status', 'encoding', 'exported-at'],
    questions: (raw) => filled(raw).blocks.flatMap((block) => questions(block, columns, raw)),
    assumptions: (raw) => [...mapping.assumptions, ...assumptions(mapping, filled(raw), raw)],
    prepare: (raw) => prepare(filled(raw), columns, raw, relation),
    findings: (raw) => [
      ...findingsOfShares(filled(raw), relation),
      ...linesInSeveralFiles(filled(raw), relation),
      ...costsInSeveralFiles(filled(raw), relation),
    ],
    translate: (raw) =>
      Object.fromEntries(
        tablesOf(filled(raw)).map((name) => [name, translated(name, filled(raw), columns, raw, relation)]),
      ),
    ...(tablesOf(mapping).includes('orders')
      ? {
          orderFacts: (raw) =>
            tablesOf(filled(raw)).includes('orders') ? orderFacts(filled(raw), relation) : null,
        }
      : {}),
  };
}

function tablesOf({ blocks }: Mapping): string[] {
  return [...new Set(blocks.map(({ table }) => table.name))];
}

function prepare(
  mapping: Mapping,
  columns: MappedColumns,
  raw: RawRows,
  relation: (table: string) => string,
): string[] {
  const tables = tablesOf(mapping).map((name) => {
    const selects = mapping.blocks
      .filter(({ table }) => table.name === name)
      .map((block) => select(withStatuses(block, raw), columns, raw, relation('rows')));
    return `create temp table ${relation(name)} as ${selects.join('\nunion all by name\n')}`;
  });
  const once = ONCE_PER_KEY.filter(({ name }) => tablesOf(mapping).includes(name));
  return [
    rows(mapping, columns, raw, relation('rows')),
    ...tables,
    ...refundsOfOwnRows(relation, tablesOf(mapping)),
    ...once.map(({ name, key }) =>
      oncePerKey(
        mapping,
        name,
        key,
        relation(name),
        raw,
        name === 'orders' ? refundedIn(mapping, columns, raw, relation) : null,
      ),
    ),
    ...(saysRate(mapping) ? [ratesOfBusiness(relation('orders'))] : []),
  ];
}

/**
 * The rows of the files that say anything: without what stands for nothing, and with cells of the row before
 * where the mapping says so.
 */
function rows(
  { empty, fillDown }: Mapping,
  columns: MappedColumns,
  { relation, present }: RawRows,
  name: string,
): string {
  const without = (cell: string) =>
    empty.length === 0
      ? cell
      : `case when ${cell} not in (${empty.map(literal).join(', ')}) then ${cell} end`;
  const filled = new Set(fillDown.map((column) => columns.cell(column)));
  const cells = columns.keys.map((key) => {
    const own = `${without(`"${key}"`)}`;
    return filled.has(`"${key}"`)
      ? `last_value(${own} ignore nulls) over (partition by _file order by rowid rows unbounded preceding) as "${key}"`
      : `${own} as "${key}"`;
  });
  const headers = [...present].filter((key) => key.endsWith('_header')).map((key) => `"${key}"`);
  const numbers = columns.numbers.map((use, index) => ({
    ...use,
    cell: columns.cell(use.column),
    parts: `p${index}`,
    digits: `d${index}`,
    name: columns.number(use),
  }));
  const all = (sql: readonly string[]) => ['*', ...sql].join(', ');
  return `create temp table ${name} as
    with said as (
      select rowid as _row, _file, ${[...cells, ...headers].join(', ')} from "${relation}"
      where coalesce(${columns.keys.map((key) => `"${key}"`).join(', ')}) is not null
    ),
    -- Each number is taken apart once: it may stand in several expressions.
    parts as (select ${all(numbers.map(({ cell, decimal, parts }) => `${numberParts(cell, decimal)} as ${parts}`))} from said),
    digits as (select ${all(numbers.map(({ parts, digits }) => `${numberDigits(parts)} as ${digits}`))} from parts)
    select _row, _file, ${[
      ...columns.keys.map((key) => `"${key}"`),
      ...headers,
      ...numbers.map((each) => `${numberCell(each.cell, each, each.decimal, each.isWhole)} as ${each.name}`),
      ...numbers.map(({ parts, name: number }) => `${currencySign(parts)} as ${number.replace('n', 's')}`),
    ].join(', ')} from digits`;
}

/** One table of ours out of the rows, with a reason to reject each that cannot be read. */
function select(block: Block, columns: MappedColumns, raw: RawRows, relation: string): string {
  const { table, cells, where, parts } = block;
  const context = {
    raw,
    rows: relation,
    has: (column: Parameters<typeof columns.cell>[0]) => raw.present.has(columns.cell(column).slice(1, -1)),
    cell: (column: Parameters<typeof columns.cell>[0]) => `r.${columns.cell(column)}`,
    number: (use: Parameters<typeof columns.number>[0]) => {
      const number = columns.number(use);
      return { cell: `r.${number}`, sign: `r.${number.replace('n', 's')}` };
    },
    part: (column: Parameters<typeof columns.cell>[0]) => `p.${columns.cell(column)}`,
    header: (column: Parameters<typeof columns.cell>[0]) =>
      raw.present.has(columns.header(column).slice(1, -1)) ? `r.${columns.header(column)}` : 'null',
  };
  const declared = { ...columnsOfFile(table), ...CURRENCY_OF_COSTS };
  const compiled = [...cells].map(([name, expression]) => {
    const column = declared[name as keyof typeof declared];
    if (column === undefined) throw new Error(`${table.name} has no column ${name}`);
    const { sql, problems } = compile(expression, column, context);
    // Shops write 0 for guests, who are not one person.
    return { name, sql: name === 'external_customer_id' ? `nullif(${sql}, '0')` : sql, problems };
  });
  const all = table.name === 'orders' ? withCancelled(compiled) : compiled;
  const problems = [
    ...(parts === null
      ? []
      : [
          `case when parent_row is null and ${notPart(context.cell(parts.of))} is not null then 'is a part of a row that the file lacks: export it again' end`,
        ]),
    ...compiled.flatMap((each) => each.problems),
    ...linesWithoutPrice(table.name, compiled),
  ];
  // A row of an order that has no line, but the order's number, makes none.
  const own = table.list === undefined ? [] : [...cells].filter(([name]) => !table.key.includes(name));
  const saying = own.flatMap(([, expression]) => columnsIn(expression).map((column) => context.cell(column)));
  const conditions = [
    ...where.map((each) => condition(each, context.cell(each.column))),
    ...(saying.length === 0 ? [] : [`coalesce(${saying.join(', ')}) is not null`]),
    ...(parts === null ? [] : [`parent_row is null`]),
  ];
  return `select r._row, r._file, ${problems.length === 0 ? 'cast(null as varchar)' : `coalesce(${problems.join(', ')})`} as _malformed,
      ${all.map(({ name, sql }) => `${sql} as "${name}"`).join(', ')}
    from ${relation} as r ${parts === null ? '' : joinedParts(parts, columns, relation)}
    ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`;
}

interface CompiledCell {
  readonly name: string;
  readonly sql: string;
}

/** An order with the date of its cancellation is cancelled, whatever else is said of it. */
function withCancelled(cells: readonly CompiledCell[]): readonly CompiledCell[] {
  const cancelled = cells.find(({ name }) => name === 'cancelled_at')?.sql;
  if (cancelled === undefined) return cells;
  const status = cells.find(({ name }) => name === 'status')?.sql ?? 'null';
  const sql = `case when ${cancelled} is not null then 'cancelled' else ${status} end`;
  return [...cells.filter(({ name }) => name !== 'status'), { name: 'status', sql }];
}

/** An amount for no pieces is no price. */
function linesWithoutPrice(table: string, compiled: readonly CompiledCell[]): string[] {
  const sqlOf = (name: string) => compiled.find((each) => each.name === name)?.sql;
  const [quantity, price] = [sqlOf('quantity'), sqlOf('unit_price')];
  if (table !== 'order_items' || quantity === undefined || price === undefined) return [];
  return [
    `case when try_cast(${quantity} as double) = 0 and ${price} is null then 'has an amount and 0 pieces, so that there is no price of a piece' end`,
  ];
}

/** What a table of costs has beside its own columns: what they are counted in. */
const CURRENCY_OF_COSTS = {
  currency: { required: false, expected: '', jsonSchema: { type: 'string' }, stored: () => [] },
} as const;

const notPart = (cell: string) => `nullif(${cell}, '0')`;

/** A row with its parent, where it is a part; and with its part, where it has exactly one. */
function joinedParts(parts: NonNullable<Block['parts']>, columns: MappedColumns, relation: string): string {
  const [id, of] = [columns.cell(parts.id), columns.cell(parts.of)];
  return `left join (select _file, ${id} as parent, min(_row) as parent_row from ${relation} where ${id} is not null group by all) as q
      on q._file = r._file and q.parent = ${notPart(`r.${of}`)}
    left join (select * from ${relation} where ${notPart(of)} is not null
      qualify count(*) over (partition by _file, ${of}) = 1) as p
      on p._file = r._file and p.${of} = r.${id}`;
}

function condition({ is, values }: Condition, cell: string): string {
  if (is === 'empty') return `${cell} is null`;
  if (is === 'filled') return `${cell} is not null`;
  const each = values.map((value) =>
    value.endsWith('*')
      ? `starts_with(lower(${cell}), ${literal(value.slice(0, -1).toLowerCase())})`
      : `lower(${cell}) = ${literal(value.toLowerCase())}`,
  );
  const any = each.length === 0 ? 'false' : `coalesce(${each.join(' or ')}, false)`;
  return is === 'one of' ? any : `not ${any}`;
}

/** What the files say many times of one order: on the row of each line of it. */
const ONCE_PER_KEY = [
  { name: 'orders', key: 'order_id' },
  { name: 'refunds', key: 'refund_id' },
] as const;

/** Whether the files say what an order's currency cost. */
function saysRate({ blocks }: Mapping): boolean {
  return blocks.some(({ table, cells }) => table.name === 'orders' && cells.has('fx_rate'));
}

/** SQL: whether an order has the rate 1, and is in another currency than the business. */
const IS_OF_SHOP = "try_cast(fx_rate as double) = 1 and upper(currency) <> getvariable('business_currency')";

/**
 * Rates are to the shop's own currency. If an order in another currency than the business's has the rate 1,
 * that currency is the shop's own, and no rate is to ours.
 */
function ratesOfBusiness(orders: string): string {
  return `update ${orders} set fx_rate = null where exists (select 1 from ${orders} where ${IS_OF_SHOP})`;
}

/** The column in which the files say how much of each order was refunded, and the files that do. */
interface RefundedIn {
  readonly relation: string;
  readonly files: readonly number[];
}

/** Null where it tells nothing of which file is the later one. */
function refundedIn(
  mapping: Mapping,
  columns: MappedColumns,
  raw: RawRows,
  relation: (table: string) => string,
): RefundedIn | null {
  const blocks = mapping.blocks.filter(({ table }) => table.name === 'refunds');
  const files = raw.presentIn.flatMap((present, file) =>
    blocks.some((block) => columns.haveAllOf(block, { present })) ? [file] : [],
  );
  return raw.presentIn.length < 2 || files.length === 0 ? null : { relation: relation('refunds'), files };
}

/**
 * An order may stand on many rows, one for each line of it: its cells must say the same in all of them. Of an
 * order that stands in several files, the one counts that knows of more refunds, else the last one.
 */
function oncePerKey(
  { blocks }: Mapping,
  table: string,
  key: string,
  relation: string,
  { settings }: RawRows,
  refunded: RefundedIn | null,
): string {
  const names = new Set(
    blocks.filter((block) => block.table.name === table).flatMap(({ cells }) => [...cells.keys()]),
  );
  if (names.has('cancelled_at')) names.add('status');
  const others = [...names].filter((name) => name !== key);
  const differing = others.map(
    (name) =>
      `case when min("${name}") is distinct from max("${name}") then 'says different things of its ${name} in its rows: does each row mean another of the ${table}?' end`,
  );
  const excluded = [
    ...(names.has('currency') ? ['currency'] : []),
    ...(refunded === null ? [] : ['refunded']),
  ];
  const currency = settings.currency === undefined ? 'cast(null as varchar)' : literal(settings.currency);
  const known = names.has('currency') ? `coalesce(currency, ${currency})` : currency;
  // Refunds only grow: what knows of more of them is the later state.
  const grown =
    table === 'refunds'
      ? 'try_cast(amount as decimal(18,4)) desc nulls last, '
      : refunded === null
        ? ''
        : 'refunded desc nulls last, ';
  const withRefunded =
    refunded === null
      ? 'from grouped'
      : `from (select grouped.*, case when _file in (${refunded.files.join(', ')}) then coalesce(r.refunded, 0) else max(coalesce(r.refunded, 0)) over (partition by grouped.order_id) end as refunded
          from grouped left join (select _file, order_id, sum(try_cast(amount as decimal(18,4))) as refunded from ${refunded.relation} group by all) as r
            using (_file, order_id))`;
  // An amount that is 0 in one row of an order alone must not hide the other one: nothing that is 0 is kept.
  return `create or replace temp table ${relation} as
    with grouped as (
      select _file, min(_row) as _row, "${key}", ${others.map((name) => `${name === 'amount' ? 'max' : 'min'}("${name}") as "${name}"`).join(', ')},
        coalesce(min(_malformed), ${[...differing, 'null'].join(', ')}) as _malformed
      from ${relation} where "${key}" is not null group by _file, "${key}"
      union all by name
      select * from ${relation} where "${key}" is null
    )
    select * ${excluded.length === 0 ? '' : `exclude (${excluded.join(', ')})`}${table === 'orders' ? `, ${known} as currency` : ''},
      case when "${key}" is null then 0 else row_number() over (partition by "${key}" order by ${grown}_file desc) - 1 end as _newer, _newer = 0 as is_last
    ${withRefunded} ${table === 'refunds' ? 'where amount is not null and try_cast(amount as decimal(18,4)) is distinct from 0' : ''}`;
}

/** The rows of one of our tables as they are staged. */
function translated(
  name: string,
  mapping: Mapping,
  columns: MappedColumns,
  raw: RawRows,
  relationOf: (table: string) => string,
): string {
  const { blocks } = mapping;
  const relation = relationOf(name);
  if (name === 'ad_costs') return summed(blocks, relation, raw);
  if (name === 'refunds' && tablesOf(mapping).includes('orders')) return restOfRefunds(relationOf);
  if (ONCE_PER_KEY.some((each) => each.name === name))
    return `select * exclude (_file, is_last) from ${relation} order by _row`;
  const table = blocks.find((block) => block.table.name === name)?.table;
  if (table?.columns.order_id === undefined) return `select * exclude (_file) from ${relation} order by _row`;
  // Lines of an order come of the last file that has both; where the files have lines alone, of the last one
  // that has some of it.
  const counting = tablesOf(mapping).includes('orders') ? relationOf('orders') : relation;
  const tells = (present: ReadonlySet<string>) =>
    blocks.some((block) => block.table.name === name && columns.haveAllOf(block, { ...raw, present }));
  const files = raw.presentIn.flatMap((present, file) => (tells(present) ? [file] : []));
  const isTold = files.length === 0 ? '' : `where _file in (${files.join(', ')})`;
  const lines = `select l.* exclude (_file) from ${relation} as l
    left join (select order_id, ${tablesOf(mapping).includes('orders') ? 'arg_min(_file, _newer)' : 'max(_file)'} as last_file from ${counting} ${isTold} group by order_id) as o using (order_id)
    where o.last_file is null or l._file = o.last_file`;
  return name === 'order_items' && sharesDiscount(mapping)
    ? withSharedDiscount(mapping, lines, relationOf)
    : `${lines} order by l._row`;
}

/** An order of which a file has the first lines and the next one the others loses lines: it is told. */
function linesInSeveralFiles(mapping: Mapping, relationOf: (table: string) => string) {
  const tables = tablesOf(mapping);
  if (!tables.includes('order_items') || tables.includes('orders')) return [];
  return [
    {
      count: `select count(*) from (select order_id from ${relationOf('order_items')} group by order_id having min(_file) < max(_file))`,
      says: (count: number) =>
        `${plural(count, 'order has', 'orders have')} lines in several files: only those in the last of them count, so all lines of an order must stand in one file`,
    },
  ];
}

/** Reports of two accounts may have campaigns of one name, whose costs replace each other: it is told. */
function costsInSeveralFiles({ blocks }: Mapping, relationOf: (table: string) => string) {
  const block = blocks.find(({ table }) => table.name === 'ad_costs');
  if (block === undefined) return [];
  const key = COSTS_KEY.filter((name) => block.cells.has(name)).map((name) => `"${name}"`);
  return [
    {
      count: `
        with by_file as (
          select sum(try_cast(cost as decimal(24,4))) as cost, ${key.join(', ')}
          from ${relationOf('ad_costs')} group by _file, ${key.join(', ')}
        )
        select count(*) from (select 1 from by_file group by ${key.join(', ')} having count(distinct cost) > 1)`,
      says: (count: number) =>
        `${plural(count, 'day of a campaign costs', 'days of campaigns cost')} something else in several files: the last file counts. Where the files are of several accounts whose campaigns have one name, costs are missing: put them into one report, or give the campaigns different names`,
    },
  ];
}

const COSTS_KEY = ['day', 'source', 'medium', 'campaign'] as const;

/**
 * Costs of one day and campaign stand on a row for each advertisement: those of a file are summed. Of a day
 * and campaign that stand in several files, the last one counts, as when it is imported after the others.
 */
function summed(blocks: readonly Block[], relation: string, { settings }: RawRows): string {
  const names = new Set(
    blocks.filter(({ table }) => table.name === 'ad_costs').flatMap(({ cells }) => [...cells.keys()]),
  );
  const sums = ['cost', 'clicks', 'impressions'].filter((name) => names.has(name));
  const keys = COSTS_KEY.filter((name) => names.has(name));
  const known = "getvariable('business_currency')";
  const problems = [
    ...sums.map(
      (name) =>
        `case when "${name}" is not null and try_cast("${name}" as decimal(24,4)) is null then 'has a ${name} that is no number' end`,
    ),
    ...(names.has('currency')
      ? [
          `case when upper(${settings.currency === undefined ? 'currency' : `coalesce(currency, ${literal(settings.currency)})`}) <> ${known} then 'is in another currency than the business, which costs are kept in: change the currency of the report' end`,
        ]
      : []),
  ];
  const key = keys.map((name) => `"${name}"`).join(', ');
  return `with known as (select *, coalesce(_malformed, ${[...problems, 'null'].join(', ')}) as wrong from ${relation}),
    summed as (
      select min(_row) as _row, _file, wrong as _malformed, ${key},
        ${sums.map((name) => `cast(sum(try_cast("${name}" as decimal(24,4))) as varchar) as "${name}"`).join(', ')}
      from known group by _file, wrong, ${key}, case when wrong is not null then _row end
    )
    select * exclude (_file) from summed
    qualify _malformed is not null or _file = max(_file) over (partition by _malformed, ${key}) order by _row`;
}

/** The block with the statuses that were told: `Odesláno=fulfilled`, several of them parted by a line end. */
function withStatuses(block: Block, raw: RawRows): Block {
  const status = block.cells.get('status');
  if (block.table.name !== 'orders' || status?.kind !== 'map' || raw.settings.status === undefined)
    return block;
  const values = new Map(Object.entries(withMappedStatuses(Object.fromEntries(status.values), raw)));
  return { ...block, cells: new Map([...block.cells, ['status', { ...status, values }]]) };
}

function questions(declared: Block, columns: MappedColumns, raw: RawRows): Question[] {
  const { table, cells } = withStatuses(declared, raw);
  const moments = [...cells].flatMap(([name, expression]) =>
    table.columns[name]?.jsonSchema.format === 'date-time' ? momentsIn(expression) : [],
  );
  const asked = moments.flatMap((expression): Question[] => {
    if (!('column' in expression)) return [];
    const cell = columns.cell(expression.column);
    const named = (question: Question) => ({
      ...question,
      problem: question.problem.replace(cell, `"${expression.column}"`),
    });
    const own = momentQuestions(cell.slice(1, -1)).map(named);
    if (expression.kind !== 'date') return own;
    if (expression.zone !== null)
      return own.filter(({ setting }) => setting !== 'timezone' && expression.pattern === null);
    if (expression.pattern === null) return own;
    if (UNIX_PATTERNS.includes(expression.pattern)) return [];
    return [
      {
        setting: 'timezone',
        condition: `${cell} is not null`,
        problem: `a time without an offset from UTC in "${expression.column}"`,
        example: '--timezone Europe/Prague for the timezone of the shop',
      },
    ];
  });
  const days = [...cells].flatMap(([name, expression]) =>
    table.columns[name]?.jsonSchema.format === 'date' ? daysIn(expression) : [],
  );
  asked.push(
    ...days.map((column) => {
      const cell = columns.cell(column);
      const question = dayQuestion(cell.slice(1, -1));
      return { ...question, problem: question.problem.replace(cell, `"${column}"`) };
    }),
  );
  if (table.name === 'ad_costs') return [...asked, ...currencyOfCostsQuestion(declared, columns)];
  if (table.name !== 'orders') return asked;
  return [...asked, ...currencyQuestion(cells, columns), ...statusQuestions(cells, columns)];
}

/** The columns whose cells are read as a day, in whatever order a spreadsheet wrote it. */
function daysIn(expression: Expression): ColumnName[] {
  if ('of' in expression) return expression.of.flatMap(daysIn);
  return expression.kind === 'cell' || expression.kind === 'same' ? columnsIn(expression) : [];
}

function momentsIn(expression: Expression): Expression[] {
  if ('of' in expression) return expression.of.flatMap(momentsIn);
  return expression.kind === 'cell' || expression.kind === 'date' ? [expression] : [];
}

function currencyQuestion(cells: Block['cells'], columns: MappedColumns): Question[] {
  const currency = cells.get('currency');
  const of = currency === undefined ? [] : columnsIn(currency);
  if (currency !== undefined && (of.length === 0 || currency.kind === 'header')) return [];
  const [total] = columnsIn(cells.get('total') ?? { kind: 'exported_at' });
  return [
    {
      setting: 'currency',
      condition: `${total === undefined ? 'true' : `${columns.cell(total)} is not null`}${of.length === 0 ? '' : ` and coalesce(${of.map((column) => columns.cell(column)).join(', ')}) is null`}`,
      problem: 'an order without a currency',
      example: '--currency EUR',
    },
  ];
}

/**
 * Costs are compared with the currency of the business: a report without its own is not taken to be in that
 * one unasked.
 */
function currencyOfCostsQuestion({ cells, where }: Block, columns: MappedColumns): Question[] {
  const currency = cells.get('currency');
  const cell = currency?.kind === 'header' ? columns.header : columns.cell;
  const of = currency === undefined ? [] : columnsIn(currency);
  if (of.length === 0) return [];
  const costs = columnsIn(cells.get('cost') ?? { kind: 'exported_at' });
  const isSaid = (all: readonly string[]) => (all.length === 0 ? [] : [`coalesce(${all.join(', ')})`]);
  const conditions = [
    ...where.map((each) => condition(each, columns.cell(each.column))),
    ...isSaid(costs.map((column) => columns.cell(column))).map((cost) => `${cost} is not null`),
    ...isSaid(of.map((column) => cell.call(columns, column))).map((said) => `${said} is null`),
  ];
  return [
    {
      setting: 'currency',
      condition: conditions.join(' and '),
      problem: 'costs without their currency',
      example: '--currency EUR',
    },
  ];
}

function statusQuestions(cells: Block['cells'], columns: MappedColumns): Question[] {
  const status = cells.get('status');
  if (status?.kind !== 'map' || status.otherwise !== null) return [];
  const condition = isUnknown(columns.cell(status.column), status.values);
  const problem = `a status that the mapping does not know in "${status.column}"`;
  return [statusQuestion(condition, problem, 'Odesláno=fulfilled', `[${columns.cell(status.column)}]`)];
}

function assumptions(whole: Mapping, { blocks }: Mapping, { settings }: RawRows): string[] {
  const has = (table: string, column: string) =>
    blocks.some((block) => block.table.name === table && block.cells.has(column));
  const fills = (table: string) => blocks.some((block) => block.table.name === table);
  const unfilled = tablesOf(whole).filter((name) => !fills(name));
  return [
    ...unfilled.map((name) => `the files lack what ${name} need: there are none`),
    ...(fills('orders') && !has('orders', 'status')
      ? [
          `the mapping says no status: all orders count as paid${has('orders', 'cancelled_at') ? ', but those with a date of their cancellation' : ''}`,
        ]
      : []),
    ...(fills('products') || (fills('ad_costs') && !has('ad_costs', 'currency'))
      ? ['prices and costs are in the currency of the business']
      : []),
    ...(blocks.some(({ cells }) => [...cells.values()].some(({ kind }) => kind === 'exported_at'))
      ? [dayWithoutDate(settings)]
      : []),
  ];
}

function dayWithoutDate({ 'exported-at': said }: Settings): string {
  return said === undefined
    ? 'what has no date in this file is of the day on which it was written; another can be said: --exported-at, or “Day of the export” in the browser'
    : `what has no date in this file is of ${said}, as --exported-at says for this import alone`;
}
