import {
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { InputError } from '../../errors.ts';
import { CANONICAL_TABLES } from '../../store/tables/all-tables.ts';
import { ANY_TEXT } from '../column-name.ts';
import type { TitlesInLanguages } from '../titles-in-languages.ts';
import type { Block, ColumnName, Condition, Expression, Mapping } from './mapping.ts';
import { readPattern } from './patterns.ts';

/** What one mapping may hold. The largest that ships has a tenth of it. */
const LIMITS = { bytes: 2 ** 16, columns: 500, depth: 4, text: 200 } as const;

/**
 * Reads a mapping. It is text of a merchant: nothing in it is run, and all of it is checked here.
 *
 * @param file for messages
 * @throws InputError with the line, what is allowed there, and an example
 */
export function readMapping(text: string, file: string): Mapping {
  if (Buffer.byteLength(text) > LIMITS.bytes)
    throw new InputError(`${file} has more than ${LIMITS.bytes / 1024} KiB; a mapping has at most that`);
  return new MappingReader(text, file).read();
}

/** What is wrong, by what the parser calls it. */
const YAML_FAULTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT: 'what stands there is not indented as what it belongs to',
  TAB_AS_INDENT: 'the line is indented by a tab; blanks are needed',
  MISSING_CHAR: 'a quote, a bracket or a colon is missing there',
  DUPLICATE_KEY: 'the same name stands there twice',
  BAD_DQ_ESCAPE: 'a text in "quotes" has a backslash that means nothing; write it in \'quotes\'',
  BAD_SCALAR_START: 'a text begins with a sign that must stand in quotes, such as @ or `',
  MULTIPLE_DOCS: 'a second document begins there',
  MULTILINE_IMPLICIT_KEY: 'a name goes over several lines',
  KEY_OVER_1024_CHARS: 'a name is longer than 1024 characters',
  UNEXPECTED_TOKEN: 'something stands there that does not belong there',
  BAD_ALIAS: 'it refers to something by * that is not there; write a text that begins with * in quotes',
  TAG_RESOLVE_FAILED: 'it has a tag (!), which a mapping must not have',
};

const SHARES = 'shares_discount';

type Entry = { readonly key: string; readonly keyNode: Node; readonly value: ParsedNode | null };

class MappingReader {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #root: ParsedNode | null;
  #columns = 0;

  constructor(text: string, file: string) {
    this.#file = file;
    const document = this.#parse(text);
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined)
      throw new InputError(
        `${file} line ${this.#lines.linePos(problem.pos[0]).line}: it is not YAML: ${YAML_FAULTS[problem.code] ?? 'it does not follow the rules of that format'}. Write it as the examples in docs/sources/mapping.md`,
      );
    this.#root = document.contents;
  }

  /** The parser is recursive: what is nested without end exhausts its stack, and no memory. */
  #parse(text: string) {
    try {
      return parseDocument(text, { lineCounter: this.#lines, schema: 'failsafe', prettyErrors: false });
    } catch (error) {
      if (error instanceof RangeError) throw new InputError(`${this.#file} is nested too deeply`);
      throw error;
    }
  }

  read(): Mapping {
    const top = this.#entries(this.#root, 'a mapping', EXAMPLES.top);
    const known = ['name', 'title', 'recognise', 'titles', 'fill_down', 'empty', 'assumptions', 'tables'];
    for (const { key, keyNode } of top)
      if (!known.includes(key))
        this.#fail(keyNode, `"${key}" is no part of a mapping`, known.join(', '), EXAMPLES.top);
    const value = (name: string) => top.find(({ key }) => key === name)?.value ?? null;
    const nameNode = value('name');
    const name = this.#text(nameNode, 'the name', EXAMPLES.name);
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
      this.#fail(
        nameNode,
        `the name "${name}" cannot be used`,
        'at most 40 small letters, digits and hyphens, a letter first',
        EXAMPLES.name,
      );
    const blocks = this.#entries(value('tables'), '"tables"', EXAMPLES.tables).flatMap((entry) =>
      this.#blocks(entry),
    );
    if (blocks.length === 0) this.#fail(value('tables'), 'no table is filled', TABLES, EXAMPLES.tables);
    const recognise = this.#list(value('recognise'), '"recognise"', (node) => this.#column(node));
    return {
      name,
      title:
        value('title') === null ? name : this.#text(value('title'), 'the title', 'title: Orders of our shop'),
      recognise: recognise.length > 0 ? recognise : requiredColumns(blocks),
      titles: this.#titles(value('titles')),
      fillDown: this.#list(value('fill_down'), '"fill_down"', (node) => this.#column(node)),
      empty: this.#list(value('empty'), '"empty"', (node) => this.#text(node, 'a text', 'empty: ["--"]')),
      assumptions: this.#list(value('assumptions'), '"assumptions"', (node) =>
        this.#text(node, 'an assumption', 'assumptions: [prices are with tax]'),
      ),
      blocks,
    };
  }

  #titles(node: ParsedNode | null): TitlesInLanguages {
    if (node === null) return {};
    const languages = this.#entries(node, '"titles"', EXAMPLES.titles).map(({ key, keyNode, value }) => {
      if (!/^[a-z]{2}$/.test(key))
        this.#fail(keyNode, `"${key}" is no language`, 'two small letters of ISO 639-1', EXAMPLES.titles);
      const titles = this.#entries(value, `the titles in "${key}"`, EXAMPLES.titles).map((entry) => {
        const others = isSeq(entry.value) ? (entry.value.items as (ParsedNode | null)[]) : [entry.value];
        return [
          this.#title(entry.keyNode, entry.key),
          others.map((other) => {
            this.#count(other ?? entry.keyNode);
            return this.#title(other ?? entry.keyNode, this.#text(other, 'a title', EXAMPLES.titles));
          }),
        ] as const;
      });
      return [key, Object.fromEntries(titles)] as const;
    });
    return Object.fromEntries(languages);
  }

  #blocks({ key, keyNode, value }: Entry): Block[] {
    const table = CANONICAL_TABLES.find(({ name }) => name === key);
    if (table === undefined)
      return this.#fail(keyNode, `"${key}" is none of our tables`, TABLES, EXAMPLES.tables);
    const nodes = isSeq(value) ? (value.items as (ParsedNode | null)[]) : [value];
    return nodes.map((node) => this.#block(table, node));
  }

  #block(table: Block['table'], node: ParsedNode | null): Block {
    const cells = new Map<string, Expression>();
    let where: Condition[] = [];
    let parts: Block['parts'] = null;
    let sharesDiscount = false;
    // What costs are counted in is compared with the currency of the business, and not stored.
    const allowed = [...Object.keys(table.columns), ...(table.name === 'ad_costs' ? ['currency'] : [])];
    for (const { key, keyNode, value } of this.#entries(node, table.name, EXAMPLES.tables)) {
      if (key === 'where')
        where = this.#entries(value, '"where"', EXAMPLES.where).map((entry) => this.#condition(entry));
      else if (key === 'parts') parts = this.#parts(value);
      else if (key === SHARES && table.name === 'order_items') sharesDiscount = this.#isTrue(keyNode, value);
      else if (allowed.includes(key)) cells.set(key, this.#expression(value, key, 0));
      else
        this.#fail(
          keyNode,
          `"${key}" is no column of ${table.name}`,
          [...allowed, 'where', 'parts', ...(table.name === 'order_items' ? [SHARES] : [])].join(', '),
          EXAMPLES.tables,
        );
    }
    const missing = Object.entries(table.columns)
      .filter(([name, { required }]) => required && !cells.has(name))
      .map(([name]) => name);
    if (missing.length > 0)
      this.#fail(
        node,
        `${table.name} lacks ${missing.join(', ')}, without which no row of it means anything`,
        'a column of the file, or an expression',
        `${missing[0]}: Title of the column`,
      );
    return { table, cells, where, parts, sharesDiscount };
  }

  #isTrue(keyNode: Node, node: ParsedNode | null): boolean {
    if (isScalar(node) && node.value === 'true') return true;
    return this.#fail(
      node ?? keyNode,
      `"${SHARES}" is not understood`,
      'true, or leave it out',
      `${SHARES}: true`,
    );
  }

  #parts(node: ParsedNode | null): NonNullable<Block['parts']> {
    const entries = this.#entries(node, '"parts"', EXAMPLES.parts);
    const value = (name: string) => entries.find(({ key }) => key === name)?.value ?? null;
    if (entries.length !== 2 || value('id') === null || value('of') === null)
      this.#fail(
        node,
        '"parts" is not understood',
        '"id" and "of", each the title of a column',
        EXAMPLES.parts,
      );
    return { id: this.#column(value('id')), of: this.#column(value('of')) };
  }

  #condition({ key, keyNode, value }: Entry): Condition {
    const column = /^[0-9]+$/.test(key) ? this.#place(keyNode, key) : this.#title(keyNode, key);
    this.#count(keyNode);
    if (isScalar(value) && (value.value === 'empty' || value.value === 'filled'))
      return { column, is: value.value, values: [] };
    if (isMap(value)) {
      const [entry, ...more] = this.#entries(value, '"where"', EXAMPLES.where);
      if (entry?.key === 'not' && more.length === 0)
        return { column, is: 'none of', values: this.#texts(entry.value) };
    }
    if (isSeq(value)) return { column, is: 'one of', values: this.#texts(value) };
    return this.#fail(
      value ?? keyNode,
      `the condition on "${key}" is not understood`,
      'empty, filled, a list of texts, or {not: a list of texts}',
      EXAMPLES.where,
    );
  }

  #texts(node: ParsedNode | null): string[] {
    return this.#list(node, 'a list of texts', (item) => this.#text(item, 'a text', EXAMPLES.where));
  }

  #expression(node: ParsedNode | null, target: string, depth: number): Expression {
    const example = `${target}: {text: Title of the column}`;
    if (depth > LIMITS.depth)
      this.#fail(node, 'expressions are nested too deeply', `${LIMITS.depth} of them at most`, example);
    this.#refuseOpen(node, `"${target}"`, example);
    if (isScalar(node)) return { kind: 'cell', column: this.#column(node) };
    const entries = this.#entries(node, `the expression of "${target}"`, example);
    const [first] = entries;
    const form = FORMS.find(({ name }) => name === first?.key);
    if (form === undefined || first === undefined)
      return this.#fail(
        first?.keyNode ?? node,
        first === undefined ? `the expression of "${target}" is empty` : `"${first.key}" is no expression`,
        FORMS.map(({ name }) => name).join(', '),
        example,
      );
    for (const { key, keyNode } of entries.slice(1))
      if (!(form.options as readonly string[]).includes(key))
        this.#fail(
          keyNode,
          `"${key}" does not belong to "${form.name}"`,
          form.options.length === 0 ? 'nothing beside it' : form.options.join(', '),
          form.example,
        );
    const option = (name: string) => entries.find(({ key }) => key === name)?.value ?? null;
    const column = () => this.#column(first.value);
    const nested = () =>
      this.#list(first.value, `"${form.name}"`, (item) => this.#expression(item, target, depth + 1));
    switch (form.name) {
      case 'text':
      case 'named':
      case 'part':
      case 'header':
        return { kind: form.name, column: column() };
      case 'number':
        return {
          kind: 'number',
          column: column(),
          decimal: this.#decimal(option('decimal') ?? first.keyNode),
        };
      case 'date':
        return {
          kind: 'date',
          column: column(),
          pattern: option('pattern') === null ? null : this.#pattern(option('pattern')),
          zone: option('zone') === null ? null : this.#zone(option('zone')),
        };
      case 'constant':
        return { kind: 'constant', value: this.#text(first.value, 'the constant', form.example) };
      case 'map':
        return {
          kind: 'map',
          column: column(),
          values: this.#values(option('values') ?? first.keyNode),
          otherwise: option('otherwise') === null ? null : this.#plain(option('otherwise')),
        };
      case 'split':
        return {
          kind: 'split',
          column: column(),
          by: this.#text(option('by') ?? first.keyNode, '"by"', form.example),
        };
      case 'same': {
        const [one, other, ...more] = this.#list(first.value, '"same"', (item) => this.#column(item));
        if (one === undefined || other === undefined || more.length > 0)
          return this.#fail(first.keyNode, '"same" is not understood', 'two columns', form.example);
        return { kind: 'same', columns: [one, other] };
      }
      case 'exported_at':
        return { kind: 'exported_at' };
      case 'absolute':
        return { kind: 'absolute', of: [this.#expression(first.value, target, depth + 1)] };
      default: {
        const of = nested();
        const isPair = ['difference', 'quotient', 'percent_off'].includes(form.name);
        if (of.length === 0 || (isPair && of.length !== 2))
          this.#fail(
            first.value ?? first.keyNode,
            `"${form.name}" has ${of.length} expressions`,
            isPair ? 'two' : 'one or more',
            form.example,
          );
        return { kind: form.name, of };
      }
    }
  }

  #decimal(node: Node): 'comma' | 'point' {
    if (isScalar(node) && (node.value === 'comma' || node.value === 'point')) return node.value;
    return this.#fail(
      node,
      '"number" does not say what parts its decimals',
      'decimal: comma, decimal: point',
      exampleOf('number'),
    );
  }

  #pattern(node: ParsedNode | null): string {
    this.#refuseOpen(node, 'the pattern', exampleOf('date'));
    const pattern = this.#text(node, 'the pattern', exampleOf('date'));
    if (readPattern(pattern) === null)
      this.#fail(
        node,
        `the pattern "${pattern}" is not understood`,
        'YYYY, MM or MMM (Jan), DD, HH or hh with A (AM, PM), mm, ss, and what stands between them; YY for a year of two digits; or excel (days since 1899), unix, unix_ms',
        exampleOf('date'),
      );
    return pattern;
  }

  #zone(node: ParsedNode | null): string {
    const zone = this.#text(node, 'the zone', exampleOf('date'));
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone && zone;
    } catch {
      return this.#fail(
        node,
        `there is no timezone "${zone}"`,
        'the name of an IANA timezone',
        exampleOf('date'),
      );
    }
  }

  /** What a draft left open. A column that is called so stands in quotes. */
  #refuseOpen(node: ParsedNode | null, what: string, example: string): void {
    if (isScalar(node) && node.type === 'PLAIN' && node.value === 'TODO')
      this.#fail(
        node,
        `${what} is still TODO, as the draft left it: complete it, or remove the line if it is not required`,
        'what the draft says beside it',
        example,
      );
  }

  #values(node: Node): ReadonlyMap<string, string> {
    if (!isMap(node))
      return this.#fail(node, '"map" has no values', 'values: {text of the file: ours}', exampleOf('map'));
    return new Map(
      this.#entries(node as ParsedNode, '"values"', exampleOf('map')).map(({ key, value }) => {
        this.#refuseOpen(value, `the meaning of "${key}"`, exampleOf('map'));
        return [key.toLowerCase(), this.#plain(value)] as const;
      }),
    );
  }

  #column(node: ParsedNode | null): ColumnName {
    this.#count(node);
    if (isScalar(node) && node.type === 'PLAIN' && /^[0-9]+$/.test(String(node.value)))
      return this.#place(node, String(node.value));
    return this.#title(node, this.#text(node, 'a column', 'total: Title of the column'));
  }

  /** Several `<…>` in a title can be tried in more ways than a process lives to see. */
  #title(node: Node | null, title: string): string {
    if ([...title.toLowerCase().matchAll(ANY_TEXT)].length > 1)
      this.#fail(node, 'the title of a column has several parts in <…>', 'one at most', exampleOf('header'));
    return title;
  }

  #place(node: Node, text: string): number {
    const place = Number(text);
    if (place < 1 || place > 2000)
      this.#fail(node, `there is no place ${text}`, 'the place of a column, 1 to 2000', '1');
    return place;
  }

  #count(node: Node | null): void {
    this.#columns += 1;
    if (this.#columns > LIMITS.columns)
      this.#fail(node, 'too many columns are named', `${LIMITS.columns} of them at most`, EXAMPLES.tables);
  }

  /** A text that is not empty. */
  #text(node: Node | null, what: string, example: string): string {
    const text = this.#plain(node as ParsedNode | null, what, example).trim();
    if (text === '') this.#fail(node, `${what} is empty`, 'text', example);
    return text;
  }

  #plain(node: ParsedNode | null, what = 'it', example = 'otherwise: paid'): string {
    if (node === null) return '';
    if (!isScalar(node)) return this.#fail(node, `${what} is not text`, 'text', example);
    const text = String(node.value ?? '');
    if (text.length > LIMITS.text || /\p{Cc}/u.test(text))
      this.#fail(
        node,
        `${what} is too long or has control characters`,
        `up to ${LIMITS.text} characters`,
        example,
      );
    return text;
  }

  #list<Item>(node: ParsedNode | null, what: string, read: (node: ParsedNode | null) => Item): Item[] {
    if (node === null) return [];
    if (!isSeq(node)) return this.#fail(node, `${what} is not a list`, 'a list', `${what}: [one, other]`);
    return (node.items as (ParsedNode | null)[]).map(read);
  }

  #entries(node: Node | null, what: string, example: string): Entry[] {
    if (!isMap(node)) return this.#fail(node, `${what} has no names with values`, 'name: value', example);
    return node.items.map(({ key, value }) => ({
      key: this.#plain(key as ParsedNode, 'a name', example).trim(),
      keyNode: key as Node,
      value:
        isScalar(value) && value.value === '' && value.type === 'PLAIN' ? null : (value as ParsedNode | null),
    }));
  }

  #fail(node: Node | null, what: string, allowed: string, example: string): never {
    const line = node?.range ? this.#lines.linePos(node.range[0]).line : 1;
    throw new InputError(
      `${this.#file} line ${line}: ${what}. Allowed: ${allowed}. For example:\n  ${example}`,
    );
  }
}

const TABLES = CANONICAL_TABLES.map(({ name }) => name).join(', ');

const EXAMPLES = {
  top: 'name: our-orders',
  name: 'name: our-orders',
  tables: 'tables: {orders: {order_id: Order number, ordered_at: Date, total: Grand total}}',
  titles: 'titles: {de: {Day: Tag, Cost: [Kosten, Ausgaben]}}',
  where: 'where: {Type: [simple, virtual], Store: empty, Day: {not: ["Total:*"]}}',
  parts: 'parts: {id: item_id, of: parent_item_id}',
} as const;

/** The fixed set of expressions: each known by its first name. */
const FORMS = [
  { name: 'text', options: [], example: 'number: {text: Order number}' },
  { name: 'number', options: ['decimal'], example: 'total: {number: Total, decimal: comma}' },
  {
    name: 'date',
    options: ['pattern', 'zone'],
    example: 'ordered_at: {date: Date, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}',
  },
  { name: 'constant', options: [], example: 'currency: {constant: EUR}' },
  {
    name: 'map',
    options: ['values', 'otherwise'],
    example: 'status: {map: Status, values: {Complete: fulfilled, Canceled: cancelled}}',
  },
  { name: 'split', options: ['by'], example: 'coupon_codes: {split: Coupons, by: ","}' },
  { name: 'first', options: [], example: 'email: {first: [Billing e-mail, Account e-mail]}' },
  {
    name: 'sum',
    options: [],
    example: 'total: {sum: [{number: Net, decimal: point}, {number: Tax, decimal: point}]}',
  },
  { name: 'difference', options: [], example: 'total: {difference: [Gross, Discount]}' },
  { name: 'quotient', options: [], example: 'unit_price: {quotient: [Line total, Quantity]}' },
  {
    name: 'percent_off',
    options: [],
    example: 'unit_price: {percent_off: [Price, Discount in percent]}',
  },
  { name: 'absolute', options: [], example: 'amount: {absolute: Refunded}' },
  { name: 'named', options: [], example: 'external_product_id: {first: [SKU, {named: Product name}]}' },
  { name: 'part', options: [], example: 'external_product_id: {first: [{part: sku}, sku]}' },
  { name: 'header', options: [], example: 'currency: {header: Amount spent (<currency>)}' },
  { name: 'same', options: [], example: 'day: {same: [Reporting starts, Reporting ends]}' },
  { name: 'exported_at', options: [], example: 'at: {exported_at: true}' },
] as const satisfies readonly { name: string; options: readonly string[]; example: string }[];

function exampleOf(name: (typeof FORMS)[number]['name']): string {
  return FORMS.find((form) => form.name === name)?.example ?? '';
}

/** The columns that rows cannot be made without. They tell the source where there is no `recognise`. */
function requiredColumns(blocks: readonly Block[]): ColumnName[] {
  const columns = blocks.flatMap(({ table, cells }) =>
    [...cells].flatMap(([name, expression]) =>
      table.columns[name]?.required && 'column' in expression ? [expression.column] : [],
    ),
  );
  return [...new Set(columns)].filter((column) => typeof column === 'string');
}
